package io.tollgrid.verification.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the sources of a checkout declare: Java types and methods, SQL constraints, TLA+ modules,
 * mutations.
 *
 * <p>Declarations are looked for in text with comments removed, so a name that only a comment
 * mentions does not count. Build output is not looked at.
 */
final class SourceTree {

  /** One Java source file. */
  record JavaSource(Path path, String raw, String code) {
    private static final Pattern TEST_ANNOTATION =
        Pattern.compile("@(?:Test|Property|Example|ParameterizedTest|RepeatedTest|TestFactory)\\b");

    /** Words that may stand before a call and are no type. */
    private static final Set<String> BEFORE_A_CALL =
        Set.of("return", "throw", "new", "else", "do", "assert", "yield");

    /** Whether it is in a module, the directory of that name. */
    boolean isIn(String module) {
      return path.toString().replace('\\', '/').contains("/" + module + "/src/");
    }

    boolean isTestSource() {
      return path.toString().replace('\\', '/').contains("/src/test/");
    }

    /** Whether it holds tests: its own, or those of a kit that it extends. */
    boolean holdsTests() {
      return TEST_ANNOTATION.matcher(code).find()
          || Pattern.compile("\\bclass\\s+\\w+\\s+extends\\s").matcher(code).find();
    }

    boolean declaresType(String name) {
      return Pattern.compile("\\b(?:class|interface|record|enum)\\s+" + Pattern.quote(name) + "\\b")
          .matcher(code)
          .find();
    }

    /** A declaration, not a call: a type, a name and its parameters, then a body or the end. */
    boolean declaresMethod(String name) {
      Matcher candidate =
          Pattern.compile(
                  "([\\w>\\]]+)\\s+"
                      + Pattern.quote(name)
                      + "\\s*\\((?:[^()]|\\([^()]*\\))*\\)\\s*(?:\\{|;|throws\\b)")
              .matcher(code);
      while (candidate.find()) {
        if (!BEFORE_A_CALL.contains(candidate.group(1))) {
          return true;
        }
      }
      return false;
    }

    boolean mentionsRule(String rule) {
      return Pattern.compile("\\b" + Pattern.quote(rule) + "\\b").matcher(raw).find();
    }
  }

  private static final Pattern BLOCK_COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern LINE_COMMENT = Pattern.compile("//[^\\n]*");
  private static final Pattern SQL_COMMENT = Pattern.compile("--[^\\n]*");

  private final List<JavaSource> java = new ArrayList<>();
  private final List<Path> tla = new ArrayList<>();
  private final List<RecordedMutation> mutations = new ArrayList<>();
  private final StringBuilder sql = new StringBuilder();

  private SourceTree() {}

  /** Reads every source below {@code root}. */
  static SourceTree read(Path root) {
    SourceTree tree = new SourceTree();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (!isBuildOutput(root.relativize(file))) {
          tree.add(root, file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tree;
  }

  private static boolean isBuildOutput(Path relative) {
    for (Path part : relative) {
      if (part.toString().equals("target") || part.toString().equals(".git")) {
        return true;
      }
    }
    return false;
  }

  private void add(Path root, Path file) throws IOException {
    String name = file.getFileName().toString();
    if (name.endsWith(".java")) {
      String raw = Files.readString(file);
      String code = LINE_COMMENT.matcher(BLOCK_COMMENT.matcher(raw).replaceAll(" ")).replaceAll("");
      java.add(new JavaSource(file, raw, code));
    } else if (name.endsWith(".sql")) {
      sql.append(SQL_COMMENT.matcher(Files.readString(file)).replaceAll("")).append('\n');
    } else if (name.endsWith(".tla")) {
      tla.add(file);
    } else if (name.endsWith(".patch")) {
      mutations.add(RecordedMutation.read(root, file));
    }
  }

  /** The file that declares a type: {@code Name}, or {@code Outer.Name} for a nested one. */
  Optional<JavaSource> javaType(String name) {
    List<String> parts = List.of(name.split("\\."));
    String outermost = parts.get(0);
    return java.stream()
        .filter(source -> source.path().getFileName().toString().equals(outermost + ".java"))
        .filter(source -> parts.stream().allMatch(source::declaresType))
        .findFirst();
  }

  /** Whether a migration declares the named constraint, trigger or unique index. */
  boolean hasSqlConstraint(String name) {
    return Pattern.compile(
            "(?i)\\b(?:CONSTRAINT(?:\\s+TRIGGER)?|TRIGGER|UNIQUE\\s+INDEX(?:\\s+IF\\s+NOT\\s+EXISTS)?)\\s+"
                + Pattern.quote(name)
                + "\\b")
        .matcher(sql)
        .find();
  }

  /** The named TLA+ module, {@code LedgerFencing.tla}. */
  Optional<Path> tlaModule(String fileName) {
    return tla.stream().filter(file -> file.getFileName().toString().equals(fileName)).findFirst();
  }

  /** Whether a module defines an operator of that name (an invariant, a property). */
  static boolean definesOperator(Path module, String operator) {
    try {
      return Pattern.compile("(?m)^\\s*" + Pattern.quote(operator) + "\\b[^\\n=]*==")
          .matcher(Files.readString(module))
          .find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The recorded mutations, by file name. */
  List<RecordedMutation> mutations() {
    return List.copyOf(mutations);
  }
}
