package io.tollgrid.verification.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file of `verification/mutations`: header lines that say what it is, then a unified diff from
 * the root of the checkout. `verification/mutations/try` applies it and runs its witness.
 *
 * @param name its file name, {@code R12-….patch}
 * @param text its contents
 * @param root the checkout it is for
 */
record RecordedMutation(String name, String text, Path root) {
  private static final Pattern TARGET = Pattern.compile("\\+\\+\\+ b/(\\S+).*");

  /** Lines of a file that a mutation expects in a row, and whether it changes any. */
  private record Hunk(String target, List<String> expected, boolean changes) {}

  static RecordedMutation read(Path root, Path file) throws IOException {
    return new RecordedMutation(file.getFileName().toString(), Files.readString(file), root);
  }

  /** The value of a header line, empty if it has none. */
  String header(String key) {
    Matcher matcher = Pattern.compile("(?m)^" + key + ": (.+)$").matcher(text);
    return matcher.find() ? matcher.group(1).strip() : "";
  }

  /** Why it does not apply to the sources as they are; empty if it does. */
  List<String> misfits() {
    List<String> misfits = new ArrayList<>();
    List<Hunk> hunks = hunks();
    if (hunks.stream().noneMatch(Hunk::changes)) {
      misfits.add("changes nothing");
    }
    for (Hunk hunk : hunks) {
      Path file = root.resolve(hunk.target());
      if (!Files.isRegularFile(file)) {
        misfits.add("does not apply any more: there is no " + hunk.target());
      } else if (!contains(lines(file), hunk.expected())) {
        misfits.add("does not apply any more: " + hunk.target() + " has changed");
      }
    }
    return misfits;
  }

  private List<Hunk> hunks() {
    List<Hunk> hunks = new ArrayList<>();
    String target = "";
    List<String> expected = null;
    boolean changes = false;
    for (String line : text.lines().toList()) {
      Matcher named = TARGET.matcher(line);
      if (named.matches() || line.startsWith("@@ ") || line.startsWith("--- a/")) {
        if (expected != null) {
          hunks.add(new Hunk(target, expected, changes));
        }
        target = named.matches() ? named.group(1) : target;
        expected = line.startsWith("@@ ") ? new ArrayList<>() : null;
        changes = false;
      } else if (expected != null && (line.startsWith(" ") || line.startsWith("-"))) {
        expected.add(line.substring(1));
        changes |= line.startsWith("-");
      } else if (expected != null && line.isEmpty()) {
        expected.add("");
      } else if (expected != null && line.startsWith("+")) {
        changes = true;
      }
    }
    if (expected != null) {
      hunks.add(new Hunk(target, expected, changes));
    }
    return hunks;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean contains(List<String> lines, List<String> expected) {
    for (int from = 0; from + expected.size() <= lines.size(); from++) {
      if (lines.subList(from, from + expected.size()).equals(expected)) {
        return true;
      }
    }
    return false;
  }
}
