package io.tollgrid.formal.tlc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A counter that stops at three, as a directory of models for the tests of this package. */
final class ToySpec {
  private static final String MODULE =
      """
      ---- MODULE Toy ----
      EXTENDS Integers
      CONSTANT Weakened
      Mutations == {
        "NoLimit"}
      VARIABLE x
      Init == x = 0
      Next == (x < 3 \\/ "NoLimit" \\in Weakened) /\\ x < 5 /\\ x' = x + 1
      Spec == Init /\\ [][Next]_x
      FairSpec == Spec /\\ WF_x(Next)
      ItStaysSmall == x <= 3
      ItNeverStarts == x = 0
      ItOnlyGrows == [][x' > x]_x
      ItOnlyShrinks == [][x' < x]_x
      ItReachesFive == <>(x = 5)
      ====
      """;

  private final Path directory;

  ToySpec(Path directory) throws IOException {
    this.directory = directory;
    Files.writeString(directory.resolve("Toy.tla"), MODULE);
  }

  Path directory() {
    return directory;
  }

  /** Adds a configuration. */
  ToySpec config(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name + ".cfg"), text);
    return this;
  }

  /** A configuration that checks one invariant with so many guards left out. */
  static String checks(String invariant, String weakened) {
    return "CONSTANT Weakened = {"
        + weakened
        + "}\nSPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANT "
        + invariant
        + "\n";
  }

  /** The mutant of the one guard, expected to be caught by a property. */
  static String mutant(String property) {
    return "\\* caught by " + property + "\n" + checks("ItStaysSmall", "\"NoLimit\"");
  }
}
