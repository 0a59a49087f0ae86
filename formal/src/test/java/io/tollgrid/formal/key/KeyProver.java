package io.tollgrid.formal.key;

import io.tollgrid.formal.Proof;
import io.tollgrid.formal.Prover;
import io.tollgrid.formal.UnusableProofsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Proves the JML contracts of the shipped arithmetic.
 *
 * <p>What is proved are copies of the source files, byte for byte, in a directory where KeY sees
 * nothing else. A mutant is such a copy with one text replaced; the contract of the method that the
 * text belongs to must then stay open, and not for want of steps.
 *
 * <p>Every method with a contract is a subject of its own: KeY lets a caller rely on the contract
 * of what it calls and on nothing else. So one load can hold a mutant of each method at once.
 */
public final class KeyProver implements Prover {
  private final Path sources;
  private final List<String> proved;
  private final List<String> named;
  private final List<Mutation> mutations;

  /** A prover of the arithmetic in this checkout. */
  public KeyProver(Path repository) {
    this(
        repository, ShippedArithmetic.PROVED, ShippedArithmetic.NAMED, ShippedArithmetic.MUTATIONS);
  }

  /**
   * A prover of other sources.
   *
   * @param sources a directory
   * @param proved files below it whose contracts are proved
   * @param named files below it that those name
   */
  KeyProver(Path sources, List<String> proved, List<String> named, List<Mutation> mutations) {
    this.sources = sources;
    this.proved = List.copyOf(proved);
    this.named = List.copyOf(named);
    this.mutations = List.copyOf(mutations);
  }

  @Override
  public String section() {
    return "arithmetic";
  }

  @Override
  public List<Proof> prove(Scope scope, Progress progress) throws IOException {
    final Path scratch = Files.createTempDirectory("tollgrid-key-");
    try {
      KeySettings.install(Files.createDirectory(scratch.resolve("settings")));
      final Map<String, KeySources.Attempt> attempts =
          attempts(Files.createDirectory(scratch.resolve("shipped")), scope, progress);
      final Map<String, List<Proof.Mutant>> mutants = new TreeMap<>();
      final List<Map<String, Mutation>> rounds = rounds(attempts.keySet().stream().toList());
      for (int round = 0; round < rounds.size(); round++) {
        prove(
            Files.createDirectory(scratch.resolve("mutants-" + round)),
            rounds.get(round),
            mutants,
            progress);
      }
      final List<Proof> proofs = new ArrayList<>();
      attempts.forEach(
          (subject, attempt) ->
              proofs.add(
                  new Proof(
                      subject,
                      attempt.steps(),
                      failure(attempt),
                      mutants.getOrDefault(subject, List.of()))));
      return proofs;
    } finally {
      delete(scratch);
    }
  }

  private Map<String, KeySources.Attempt> attempts(Path directory, Scope scope, Progress progress)
      throws IOException {
    final Map<String, KeySources.Attempt> attempts = new LinkedHashMap<>();
    copy(directory, Map.of());
    try (KeySources shipped = KeySources.read(directory, types())) {
      requireSubjects(shipped.subjects());
      for (final String subject : shipped.subjects()) {
        if (scope.includes(subject)) {
          final KeySources.Attempt attempt = shipped.prove(subject);
          attempts.put(subject, attempt);
          progress.say(
              failure(attempt)
                  .map(why -> subject + ": " + why)
                  .orElseGet(
                      () -> String.format("%s: proved in %,d steps", subject, attempt.steps())));
        }
      }
    }
    return attempts;
  }

  /** The mutants of these subjects, dealt out so that no round has two of one method. */
  private List<Map<String, Mutation>> rounds(List<String> subjects) {
    final List<Map<String, Mutation>> rounds = new ArrayList<>();
    for (final Mutation mutation : mutations) {
      if (subjects.contains(mutation.subject())) {
        final Map<String, Mutation> round =
            rounds.stream()
                .filter(taken -> !taken.containsKey(mutation.subject()))
                .findFirst()
                .orElseGet(
                    () -> {
                      final Map<String, Mutation> next = new LinkedHashMap<>();
                      rounds.add(next);
                      return next;
                    });
        round.put(mutation.subject(), mutation);
      }
    }
    return rounds;
  }

  private void prove(
      Path directory,
      Map<String, Mutation> round,
      Map<String, List<Proof.Mutant>> mutants,
      Progress progress)
      throws IOException {
    copy(directory, round);
    try (KeySources mutated = KeySources.read(directory, types())) {
      for (final Mutation mutation : round.values()) {
        final KeySources.Attempt attempt = mutated.prove(mutation.subject());
        final Proof.Mutant mutant =
            new Proof.Mutant(
                mutation.name(), !attempt.proved() && attempt.exhausted(), verdict(attempt));
        mutants.computeIfAbsent(mutation.subject(), subject -> new ArrayList<>()).add(mutant);
        progress.say(mutation.subject() + " with " + mutation.name() + ": " + mutant.verdict());
      }
    }
  }

  private void requireSubjects(List<String> subjects) {
    for (final Mutation mutation : mutations) {
      if (!subjects.contains(mutation.subject())) {
        throw new UnusableProofsException(
            "there is a mutant "
                + mutation.name()
                + " of "
                + mutation.subject()
                + ", but no proof");
      }
    }
  }

  private static Optional<String> failure(KeySources.Attempt attempt) {
    return attempt.proved()
        ? Optional.empty()
        : Optional.of(
            attempt.open()
                + " goals stay open"
                + (attempt.exhausted() ? "" : ", the steps allowed were not enough"));
  }

  private static String verdict(KeySources.Attempt attempt) {
    if (attempt.proved()) {
      return "missed: proved all the same";
    }
    return attempt.exhausted()
        ? "caught: " + attempt.open() + " goals stay open"
        : "undecided: the steps allowed were not enough";
  }

  private List<String> types() {
    return proved.stream().map(ShippedArithmetic::type).toList();
  }

  private void copy(Path directory, Map<String, Mutation> round) throws IOException {
    for (final String file : Stream.concat(proved.stream(), named.stream()).toList()) {
      final String type = ShippedArithmetic.type(file);
      String text = Files.readString(sources.resolve(file));
      for (final Mutation mutation : round.values()) {
        if (mutation.type().equals(type)) {
          text = mutation.applyTo(text);
        }
      }
      Files.writeString(directory.resolve(type + ".java"), text);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
