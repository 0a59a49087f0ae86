package io.tollgrid.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Witnesses, for R42, that a file is taken as it is written, and that a refusal names its line. */
class YamlFileTest {
  @TempDir private Path dir;

  @Test
  void eachKindOfValueIsTakenForWhatItIs() throws IOException {
    final Written.Fields root =
        YamlFile.read(
                file(
                    """
                    text: a b
                    quoted: "5"
                    number: -12
                    truth: true
                    nothing:
                    tilde: ~
                    list: [a, 5]
                    map: {inner: yes}
                    """))
            .orElseThrow();

    assertThat(root.values())
        .containsEntry("text", new Written.Text(1, "a b"))
        .containsEntry("quoted", new Written.Text(2, "5"))
        .containsEntry("number", new Written.Whole(3, "-12"))
        .containsEntry("truth", new Written.Truth(4, true))
        .containsEntry("nothing", new Written.Nothing(5))
        .containsEntry("tilde", new Written.Nothing(6))
        .containsEntry(
            "list",
            new Written.Items(7, List.of(new Written.Text(7, "a"), new Written.Whole(7, "5"))));
    assertThat(root.values().get("map"))
        .isEqualTo(new Written.Fields(8, java.util.Map.of("inner", new Written.Text(8, "yes"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"010", "0x10", "0o17", "1.0", "1e3", "True", "!!binary aGk=", "!mine x"})
  void whatCouldBeReadInTwoWaysIsNeitherNumberNorTruthNorText(String value) throws IOException {
    assertThat(YamlFile.read(file("key: " + value + "\n")).orElseThrow().values().get("key"))
        .isInstanceOf(Written.Other.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n", "---\n", "~\n"})
  void aFileMaySayNothing(String text) throws IOException {
    assertThat(YamlFile.read(file(text))).isEmpty();
  }

  @Test
  void aRefusalNamesTheLine() throws IOException {
    assertRefused("a: 1\nb:\n  c: 1\n  c: 2\n", "b.c: is stated a second time", "line 4");
    assertRefused("a: 1\nb: [1, 2\n", "line 3");
    assertRefused("a: 1\n\tb: 2\n", "line 2");
    assertRefused("a: 1\n---\nb: 2\n", "line 2");
    assertRefused("? [a, b]\n: 1\n", "line 1", "a key must be a text");
    assertRefused("a: *nobody\n", "line 1", "nobody");
    assertRefused("- a\n", "must be a map of settings");
  }

  @Test
  void anAnchorStandsForNoMap() throws IOException {
    assertRefused("a: &x {b: 1}\nc: *x\n", "alias");
    assertRefused("a: &x [*x]\n", "alias");
  }

  @Test
  void aFileThatIsNoTextIsRefused() throws IOException {
    final Path file = dir.resolve("latin.yaml");
    Files.write(file, "a: Zürich\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> YamlFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot read " + file);
  }

  private void assertRefused(String text, String... saying) throws IOException {
    final Path file = file(text);
    assertThatThrownBy(() -> YamlFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContainingAll(saying)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("some.yaml"), text);
  }
}
