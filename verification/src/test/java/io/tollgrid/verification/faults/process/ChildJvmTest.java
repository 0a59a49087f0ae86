package io.tollgrid.verification.faults.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Witnesses that the processes of a run can be killed, frozen, thawed and never outlive it. */
@Timeout(60)
@Tag("slow")
class ChildJvmTest {
  private static final long PATIENCE_SECONDS = 30;

  @TempDir private Path logs;

  @Test
  void aChildHearsAndAnswersAndItsChatterGoesToItsLog() throws IOException {
    try (ChildJvm parrot = start()) {
      final Message hello = parrot.await("hello", any -> true, PATIENCE_SECONDS);
      assertThat(hello.fields())
          .containsEntry("argument", "word")
          .containsEntry("parallelism", "4");

      say(parrot, "1");

      assertThat(parrot.isAlive()).isTrue();
      assertThat(Files.readString(logs.resolve("parrot.log"))).contains("chatter of a library");
      parrot.tell(Message.of("leave"));
      assertThat(parrot.awaitEnd(PATIENCE_SECONDS)).isTrue();
      assertThat(parrot.exitStatus()).isZero();
    }
  }

  @Test
  void aFrozenChildAnswersOnlyAfterItThaws() {
    try (ChildJvm parrot = start()) {
      parrot.await("hello", any -> true, PATIENCE_SECONDS);
      parrot.freeze();
      parrot.tell(new Message("word", Map.of("number", "1")));

      assertThatThrownBy(() -> parrot.await("word", any -> true, 1))
          .hasMessageContaining("parrot did not say \"word\"");

      parrot.thaw();
      assertThat(parrot.await("word", any -> true, PATIENCE_SECONDS).number("number")).isEqualTo(1);
    }
  }

  @Test
  void aFrozenChildCanBeKilled() {
    final ChildJvm parrot = start();
    parrot.await("hello", any -> true, PATIENCE_SECONDS);
    parrot.freeze();

    parrot.kill();

    assertThat(parrot.isAlive()).isFalse();
    assertThatThrownBy(() -> parrot.await("word", any -> true, 1))
        .hasMessageContaining("ended before it said");
    parrot.tell(Message.of("nobody-hears-this"));
  }

  @Test
  void theFlagsAChildNeedsAreThoseOfItsParent() {
    assertThat(
            ChildJvm.inheritedFlags(
                List.of("-Xmx2g", "--add-modules=java.se", "-Dtollgrid.repository=here")))
        .containsExactly(
            "--add-modules=java.se", "-Djava.util.concurrent.ForkJoinPool.common.parallelism=4");
  }

  private ChildJvm start() {
    return ChildJvm.start("parrot", Parrot.class, List.of("word"), "64m", logs);
  }

  private static void say(ChildJvm parrot, String number) {
    parrot.tell(new Message("word", Map.of("number", number)));
    assertThat(parrot.await("word", heard -> heard.number("number") > 0, PATIENCE_SECONDS).fields())
        .containsEntry("number", number);
  }
}
