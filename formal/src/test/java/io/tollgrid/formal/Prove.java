package io.tollgrid.formal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.formal.key.KeyProver;
import io.tollgrid.formal.tlc.TlcProver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the provers one after the other and says what came of it. */
public final class Prove {
  private final List<Prover> provers;

  /** Runs these provers, in this order. */
  public Prove(List<Prover> provers) {
    this.provers = List.copyOf(provers);
  }

  /** Everything that is proved about this checkout. */
  public static Prove of(Path repository) {
    return new Prove(
        List.of(new KeyProver(repository), new TlcProver(repository.resolve("formal/tla"))));
  }

  /**
   * Proves what is in the scope.
   *
   * @throws UnusableProofsException also if the scope names a subject that nobody knows
   */
  public Report run(Prover.Scope scope, Prover.Progress progress)
      throws IOException, InterruptedException {
    final Map<String, List<Proof>> sections = new LinkedHashMap<>();
    for (final Prover prover : provers) {
      sections
          .computeIfAbsent(prover.section(), section -> new ArrayList<>())
          .addAll(prover.prove(scope, progress));
    }
    final Report report = new Report(sections);
    final List<String> known = report.proofs().stream().map(Proof::subject).toList();
    for (final String subject : scope.subjects()) {
      if (!known.contains(subject)) {
        throw new UnusableProofsException("there is nothing called " + subject + " to prove");
      }
    }
    return report;
  }

  /**
   * What came of all provers.
   *
   * @param sections the proofs, by the section of their prover
   */
  public record Report(Map<String, List<Proof>> sections) {
    List<Proof> proofs() {
      return sections.values().stream().flatMap(List::stream).toList();
    }

    /** Whether everything is proved and every mutant was caught. */
    public boolean holds() {
      return !proofs().isEmpty() && proofs().stream().allMatch(Proof::holds);
    }

    /** For people: a line for each proof and for each of its mutants, and one that sums up. */
    public String asText() {
      final StringBuilder text = new StringBuilder();
      for (final Proof proof : proofs()) {
        text.append(
            String.format(
                "%-34s %,9d examined  %s%n", proof.subject(), proof.states(), proof.result()));
        if (proof.mutants().isEmpty()) {
          text.append(String.format("  no mutant: this proof was never seen to fail%n"));
        }
        for (final Proof.Mutant mutant : proof.mutants()) {
          text.append(String.format("  %-32s %s%n", mutant.name(), mutant.verdict()));
        }
      }
      final long held = proofs().stream().filter(Proof::holds).count();
      final long mutants = proofs().stream().mapToLong(proof -> proof.mutants().size()).sum();
      return text.append(
              String.format("%d of %d proofs hold; %d mutants%n", held, proofs().size(), mutants))
          .toString();
    }

    /**
     * For programs: {@code {"specs": {name: {"states", "result", "mutants": {name: verdict}}}}},
     * and likewise for each other section.
     */
    public String asJson() throws JsonProcessingException {
      final Map<String, Object> object = new LinkedHashMap<>();
      sections.forEach(
          (section, proofs) -> {
            final Map<String, Object> bySubject = new LinkedHashMap<>();
            proofs.forEach(proof -> bySubject.put(proof.subject(), asMap(proof)));
            object.put(section, bySubject);
          });
      return new ObjectMapper().writeValueAsString(object);
    }

    private static Map<String, Object> asMap(Proof proof) {
      final Map<String, String> mutants = new LinkedHashMap<>();
      proof.mutants().forEach(mutant -> mutants.put(mutant.name(), mutant.verdict()));
      final Map<String, Object> map = new LinkedHashMap<>();
      map.put("states", proof.states());
      map.put("result", proof.result());
      map.put("mutants", mutants);
      return map;
    }
  }
}
