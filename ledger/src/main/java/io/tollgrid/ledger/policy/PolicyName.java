package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.PlainText;

/** What the names of plans, operations, routes and meters have in common. */
public final class PolicyName {
  private PolicyName() {}

  /**
   * Refuses what {@link MeterUnits} does, for a meter that is priced is recorded.
   *
   * @param kind what is named, for the message
   */
  public static void require(final String kind, final String name) {
    if (name.isEmpty() || name.length() > MeterUnits.MAX_NAME_CHARS || !PlainText.isPlain(name)) {
      throw new IllegalArgumentException(
          "a name of a "
              + kind
              + " has 1 to "
              + MeterUnits.MAX_NAME_CHARS
              + " characters, none of them a control character or half of a pair; not so the "
              + name.length()
              + " of "
              + name.codePoints()
                  .limit(MeterUnits.MAX_NAME_CHARS)
                  .map(c -> PlainText.isPlain(c) ? c : '?')
                  .collect(
                      StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append));
    }
  }
}
