package io.tollgrid.verification.faults.run;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.store.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A file in which a member writes down what it committed and was not told of, before it goes on:
 * one account and version a line. Thread-safe.
 */
final class LostConfirmations {
  private static final String SUFFIX = ".lost";

  private final Path file;

  LostConfirmations(Path file) {
    this.file = file;
  }

  /** The file of a process. */
  static Path fileOf(Path directory, String process) {
    return directory.resolve(process + SUFFIX);
  }

  /** Writes one down. */
  synchronized void add(Transition transition) {
    try {
      Files.writeString(
          file,
          transition.account() + " " + transition.effects().nextVersion() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The versions of each account in all files of a directory. */
  static Map<Id128, Set<Long>> readAll(Path directory) {
    final Map<Id128, Set<Long>> all = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (final Path file : files) {
        for (final String line : Files.readAllLines(file)) {
          final int space = line.indexOf(' ');
          // The last line of a process that was killed may be cut short.
          if (space > 0 && space < line.length() - 1) {
            all.computeIfAbsent(Id128.parse(line.substring(0, space)), account -> new HashSet<>())
                .add(Long.parseLong(line.substring(space + 1)));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }
}
