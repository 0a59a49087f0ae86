package io.tollgrid.formal.tlc;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One configuration of a specification that must pass, with the weakened ones that must not.
 *
 * @param name the configuration's name: the specification's, or that and a variant
 * @param module the specification
 * @param config the configuration every build checks
 * @param deeper a larger configuration, if there is one
 * @param mutants configurations that leave out one guard each
 */
record Model(String name, String module, Path config, Optional<Path> deeper, List<Mutant> mutants) {
  /**
   * A configuration that must fail.
   *
   * @param name the guard it leaves out
   * @param config its configuration
   * @param property the property that must be seen to fail
   */
  record Mutant(String name, Path config, String property) {}

  /** The configuration to check. */
  Path config(boolean deep) {
    return deep ? deeper.orElse(config) : config;
  }
}
