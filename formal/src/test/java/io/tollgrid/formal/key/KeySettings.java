package io.tollgrid.formal.key;

import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.settings.PathConfig;
import de.uka.ilkd.key.settings.ProofSettings;
import de.uka.ilkd.key.settings.StrategySettings;
import de.uka.ilkd.key.strategy.StrategyProperties;
import de.uka.ilkd.key.util.MiscTools;
import io.tollgrid.formal.UnusableProofsException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The logic and the search every proof here uses.
 *
 * <p>The logic is what a proof means: Java's 64-bit integers that wrap, and no exception that the
 * contract does not name. The search only decides whether a proof is found. KeY keeps both in
 * static state; {@link #install} sets it, and {@link #requireIn} checks each proof for what it got.
 */
final class KeySettings {
  /** After so many steps a proof is given up. */
  static final int MOST_STEPS = 8_000;

  private static final long MOST_MILLIS = 180_000;

  /** What a proof means; KeY's default for integers would ignore overflows, and prove bugs. */
  static final Map<String, String> LOGIC =
      Map.of(
          "intRules", "javaSemantics",
          "runtimeExceptions", "ban",
          "assertions", "safe");

  /** How a proof is searched for: callees by their contracts, products by their definitions. */
  static final Map<String, String> SEARCH =
      Map.of(
          StrategyProperties.METHOD_OPTIONS_KEY, StrategyProperties.METHOD_CONTRACT,
          StrategyProperties.QUERY_OPTIONS_KEY, StrategyProperties.QUERY_OFF,
          StrategyProperties.NON_LIN_ARITH_OPTIONS_KEY, StrategyProperties.NON_LIN_ARITH_DEF_OPS,
          StrategyProperties.STOPMODE_OPTIONS_KEY, StrategyProperties.STOPMODE_NONCLOSE);

  private KeySettings() {}

  /** Sets KeY up to read and write nothing outside a directory. */
  static void install(Path directory) {
    System.setProperty(PathConfig.DISREGARD_SETTINGS_PROPERTY, "true");
    PathConfig.setKeyConfigDir(directory.toString());
    final Map<String, String> choices = new HashMap<>(MiscTools.getDefaultTacletOptions());
    LOGIC.forEach((option, value) -> choices.put(option, option + ":" + value));
    ProofSettings.DEFAULT_SETTINGS.getChoiceSettings().setDefaultChoices(choices);
  }

  /** Makes a proof be searched for in the way of this class. */
  static void searchIn(Proof proof) {
    final StrategySettings settings = proof.getSettings().getStrategySettings();
    final StrategyProperties search = settings.getActiveStrategyProperties();
    SEARCH.forEach(search::setProperty);
    settings.setActiveStrategyProperties(search);
    settings.setMaxSteps(MOST_STEPS);
    settings.setTimeout(MOST_MILLIS);
    proof.setActiveStrategy(
        proof.getServices().getProfile().getDefaultStrategyFactory().create(proof, search));
  }

  /** Refuses a proof in another logic. */
  static void requireIn(Proof proof) {
    final Set<String> chosen = new TreeSet<>();
    proof
        .getInitConfig()
        .getActivatedChoices()
        .forEach(choice -> chosen.add(choice.name().toString()));
    LOGIC.forEach(
        (option, value) -> {
          if (!chosen.contains(option + ":" + value)) {
            throw new UnusableProofsException(
                "KeY would not prove with " + option + ":" + value + " but with " + chosen);
          }
        });
  }
}
