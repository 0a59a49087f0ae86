package io.tollgrid.formal.key;

import de.uka.ilkd.key.control.DefaultUserInterfaceControl;
import de.uka.ilkd.key.control.KeYEnvironment;
import de.uka.ilkd.key.java.abstraction.KeYJavaType;
import de.uka.ilkd.key.logic.op.IObserverFunction;
import de.uka.ilkd.key.logic.op.IProgramMethod;
import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.proof.init.ProofInputException;
import de.uka.ilkd.key.proof.io.ProblemLoaderException;
import de.uka.ilkd.key.prover.impl.ApplyStrategy;
import de.uka.ilkd.key.speclang.Contract;
import io.tollgrid.formal.UnusableProofsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A directory of sources as KeY has read them, with the contracts of their methods. */
final class KeySources implements AutoCloseable {
  private final KeYEnvironment<DefaultUserInterfaceControl> environment;
  private final Map<String, List<Contract>> contracts;

  private KeySources(
      KeYEnvironment<DefaultUserInterfaceControl> environment,
      Map<String, List<Contract>> contracts) {
    this.environment = environment;
    this.contracts = contracts;
  }

  /**
   * Reads the sources in a directory.
   *
   * @param types the classes whose contracts are to be proved; those of others are taken as they
   *     are
   * @throws UnusableProofsException if KeY cannot read them or a contract in them
   */
  static KeySources read(Path directory, List<String> types) {
    try {
      final KeYEnvironment<DefaultUserInterfaceControl> environment =
          KeYEnvironment.load(directory.toFile(), null, null, null);
      return new KeySources(environment, contracts(environment, types));
    } catch (ProblemLoaderException e) {
      throw new UnusableProofsException("KeY cannot read the arithmetic: " + e.getMessage());
    }
  }

  private static Map<String, List<Contract>> contracts(
      KeYEnvironment<?> environment, List<String> types) {
    final Map<String, List<Contract>> byMethod = new TreeMap<>();
    for (final KeYJavaType type : environment.getJavaInfo().getAllKeYJavaTypes()) {
      for (final IObserverFunction target :
          environment.getSpecificationRepository().getContractTargets(type)) {
        if (target instanceof IProgramMethod method
            && types.contains(type.getName())
            && type.getFullName().startsWith("io.tollgrid.")
            && type.equals(method.getContainerType())) {
          final List<Contract> own =
              byMethod.computeIfAbsent(
                  type.getName() + "#" + method.getName(), name -> new ArrayList<>());
          environment.getSpecificationRepository().getContracts(type, target).forEach(own::add);
        }
      }
    }
    byMethod.values().forEach(own -> own.sort(Comparator.comparing(Contract::getName)));
    return byMethod;
  }

  /** The methods that have a contract, as {@code Class#method}, in alphabetical order. */
  List<String> subjects() {
    return List.copyOf(contracts.keySet());
  }

  /** Tries to prove every contract of a method. */
  Attempt prove(String subject) {
    long steps = 0;
    int open = 0;
    boolean exhausted = true;
    for (final Contract contract : contracts.getOrDefault(subject, List.of())) {
      final Proof proof = obligation(contract);
      try {
        KeySettings.requireIn(proof);
        KeySettings.searchIn(proof);
        final int applied =
            new ApplyStrategy(environment.getProfile().getSelectedGoalChooserBuilder().create())
                .start(proof, proof.openGoals(), proof.getSettings().getStrategySettings())
                .getAppliedRuleApps();
        steps += proof.countNodes();
        open += proof.openGoals().size();
        exhausted &= applied < KeySettings.MOST_STEPS;
      } finally {
        proof.dispose();
      }
    }
    return new Attempt(steps, open, exhausted);
  }

  private Proof obligation(Contract contract) {
    try {
      return environment.createProof(
          contract.createProofObl(environment.getInitConfig(), contract));
    } catch (ProofInputException e) {
      throw new UnusableProofsException(
          "KeY cannot state the contract " + contract.getName() + ": " + e.getMessage());
    }
  }

  @Override
  public void close() {
    environment.dispose();
  }

  /**
   * How the search for the proofs of one method ended.
   *
   * @param steps nodes of the proof trees
   * @param open goals left open
   * @param exhausted whether no rule was left to apply, so that more steps would not help
   */
  record Attempt(long steps, int open, boolean exhausted) {
    boolean proved() {
      return open == 0;
    }
  }
}
