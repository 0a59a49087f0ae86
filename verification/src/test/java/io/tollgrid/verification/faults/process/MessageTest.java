package io.tollgrid.verification.faults.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Witnesses that what processes of a run tell each other arrives as it was said. */
class MessageTest {
  @Test
  void aMessageIsReadAsItWasWritten() {
    final Message message = new Message("counted", Map.of("STALE", "12", "of", "a=b"));

    assertThat(Message.parse(message.line())).contains(message);
    assertThat(message.number("STALE")).isEqualTo(12);
    assertThat(message.number("FENCED")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "INFO started", "@", "@ ", "@kind loose", "@kind =x"})
  void whatLibrariesPrintIsNoMessage(String line) {
    assertThat(Message.parse(line)).isEmpty();
  }

  @Test
  void aMessageThatCouldNotBeReadBackIsRefused() {
    assertThatThrownBy(() -> Message.of("two words")).hasMessageContaining("two words");
    assertThatThrownBy(() -> new Message("kind", Map.of("name", "two words")))
        .hasMessageContaining("name=two words");
  }
}
