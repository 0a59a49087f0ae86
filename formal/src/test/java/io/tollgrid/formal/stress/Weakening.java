package io.tollgrid.formal.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/**
 * A change to one shipped class under which a stress test must see what it forbids: a racy twin
 * that is the class itself, with one order taken away.
 *
 * @param name what it takes away
 * @param type the class, as its path below the sources of the module
 * @param original the text to replace; it must occur exactly once
 * @param replacement the text in its place
 * @param test the stress test that must see it
 */
record Weakening(String name, String type, String original, String replacement, Class<?> test) {
  /** Compiles the changed class into {@code directory}, against this class path. */
  void compile(Path sources, Path directory) throws IOException {
    final String source = Files.readString(sources.resolve(type + ".java"));
    assertThat(source.split(Pattern.quote(original), -1))
        .as("occurrences, less one, of what %s replaces in %s", name, type)
        .hasSize(2);
    final Path changed = directory.resolve(Path.of(type).getFileName() + ".java");
    Files.writeString(changed, source.replace(original, replacement));
    final List<String> arguments =
        List.of(
            "-nowarn",
            "-proc:none",
            "-d",
            directory.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            changed.toString());
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .as("exit code of the compiler for %s", name)
        .isZero();
  }

  @Override
  public String toString() {
    return name;
  }
}
