package io.tollgrid.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {
  @Test
  void editsAreCounted() {
    assertThat(Spelling.edits("kitten", "sitting")).isEqualTo(3);
    assertThat(Spelling.edits("", "abc")).isEqualTo(3);
    assertThat(Spelling.edits("abc", "abc")).isZero();
  }

  @Test
  void theNearestNameIsMeantWhateverItsCase() {
    assertThat(Spelling.nearest("LEASES.TTL", List.of("leases.target", "leases.ttl")))
        .contains("leases.ttl");
    assertThat(Spelling.nearest("x", List.of())).isEmpty();
  }
}
