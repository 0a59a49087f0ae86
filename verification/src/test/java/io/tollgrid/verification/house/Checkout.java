package io.tollgrid.verification.house;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout under test. */
public final class Checkout {

  private Checkout() {}

  /**
   * The root directory of the checkout: what the build says, or else the nearest directory upwards
   * that holds the launcher.
   */
  public static Path root() {
    String told = System.getProperty("tollgrid.repository");
    if (told != null && Files.exists(Path.of(told, "tollgrid"))) {
      return Path.of(told);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve("tollgrid")) && Files.exists(at.resolve("pom.xml"))) {
        return at;
      }
    }
    throw new IllegalStateException(
        "no checkout of Tollgrid above " + Path.of("").toAbsolutePath());
  }
}
