package io.tollgrid.formal.tlc;

import io.tollgrid.formal.Proof;
import io.tollgrid.formal.Prover;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Checks the TLA+ models of a directory.
 *
 * <p>A model passes if TLC examined every state of it. A mutant is caught if TLC saw the very
 * property fail that the mutant names; a mutant that passes, or that does not parse, is a failure
 * of the model. Mutants run one thread each, so that the search is breadth-first and the same
 * property fails first each time.
 */
public final class TlcProver implements Prover {
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final Duration DEEP_LIMIT = Duration.ofHours(12);

  private final Path specifications;
  private final int processors = Runtime.getRuntime().availableProcessors();

  /** A prover of the models in a directory; see {@link ModelDirectory} for their names. */
  public TlcProver(Path specifications) {
    this.specifications = specifications;
  }

  @Override
  public String section() {
    return "specs";
  }

  @Override
  public List<Proof> prove(Scope scope, Progress progress)
      throws IOException, InterruptedException {
    final TlcRunner runner = new TlcRunner(specifications, scope.deep() ? DEEP_LIMIT : LIMIT);
    final List<Proof> proofs = new ArrayList<>();
    for (final Model model : ModelDirectory.read(specifications)) {
      if (scope.includes(model.name())) {
        proofs.add(prove(model, scope.deep(), runner, progress));
      }
    }
    return proofs;
  }

  private Proof prove(Model model, boolean deep, TlcRunner runner, Progress progress)
      throws IOException, InterruptedException {
    final Path config = model.config(deep);
    progress.say(config.getFileName() + " …");
    final TlcOutcome outcome = runner.run(model.module(), config, processors);
    final Optional<String> failure = failure(outcome, progress);
    progress.say(
        failure.orElseGet(
            () ->
                String.format(
                    "%s: all of %,d states pass (%s)",
                    model.name(), outcome.states(), ((TlcOutcome.Complete) outcome).took())));
    return new Proof(model.name(), outcome.states(), failure, mutants(model, runner, progress));
  }

  private static Optional<String> failure(TlcOutcome outcome, Progress progress) {
    if (outcome instanceof TlcOutcome.Violated violated) {
      progress.say(violated.output());
      return Optional.of(violated.property() + " is violated");
    }
    if (outcome instanceof TlcOutcome.Broken broken) {
      progress.say(broken.output());
      return Optional.of(broken.reason());
    }
    return Optional.empty();
  }

  private List<Proof.Mutant> mutants(Model model, TlcRunner runner, Progress progress)
      throws IOException, InterruptedException {
    final List<Callable<Proof.Mutant>> runs =
        model.mutants().stream()
            .<Callable<Proof.Mutant>>map(mutant -> () -> mutant(model, mutant, runner, progress))
            .toList();
    final ExecutorService executor = Executors.newFixedThreadPool(processors);
    try {
      final List<Proof.Mutant> ended = new ArrayList<>();
      for (final Future<Proof.Mutant> run : executor.invokeAll(runs)) {
        ended.add(run.get());
      }
      return ended;
    } catch (ExecutionException e) {
      throw new IOException("a mutant of " + model.name() + " could not be run", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  private static Proof.Mutant mutant(
      Model model, Model.Mutant mutant, TlcRunner runner, Progress progress)
      throws IOException, InterruptedException {
    final TlcOutcome outcome = runner.run(model.module(), mutant.config(), 1);
    final boolean caught =
        outcome instanceof TlcOutcome.Violated violated
            && violated.property().equals(mutant.property());
    final String verdict = verdict(outcome, mutant.property());
    progress.say(model.name() + " with " + mutant.name() + ": " + verdict);
    return new Proof.Mutant(mutant.name(), caught, verdict);
  }

  private static String verdict(TlcOutcome outcome, String expected) {
    if (outcome instanceof TlcOutcome.Violated violated) {
      return violated.property().equals(expected)
          ? "caught by " + expected
          : "missed by " + expected + ", although " + violated.property() + " is violated";
    }
    return outcome instanceof TlcOutcome.Broken broken
        ? "broken: " + broken.reason()
        : "missed by " + expected + ": every state passes";
  }
}
