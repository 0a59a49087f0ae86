package io.tollgrid.ledger;

/**
 * What one instance denied one principal for one reason in one minute (R50).
 *
 * @param account the account that caused it, {@link Id128#ZERO} if none did
 * @param principal who was denied, {@link Id128#ZERO} if unknown
 * @param reason label of the denial: up to {@value #MAX_REASON_CHARS} upper-case letters and
 *     underscores
 * @param minute minutes since the epoch, 0 or more
 * @param denials how often, 1 or more
 * @param lastQuoteUnits what the last one of them would have cost, 0 if it was not priced
 */
public record DenialMinute(
    Id128 account, Id128 principal, String reason, long minute, long denials, long lastQuoteUnits) {
  /** The longest label. */
  public static final int MAX_REASON_CHARS = 64;

  /** Refuses a label that none can be, and negative numbers. */
  public DenialMinute {
    if (reason.isEmpty()
        || reason.length() > MAX_REASON_CHARS
        || !reason.chars().allMatch(c -> c == '_' || (c >= 'A' && c <= 'Z'))) {
      throw new IllegalArgumentException(
          "a reason has 1 to "
              + MAX_REASON_CHARS
              + " upper-case letters and underscores, not "
              + reason.length()
              + " characters of any kind");
    }
    if (minute < 0 || denials < 1 || lastQuoteUnits < 0) {
      throw new IllegalArgumentException(
          denials + " denials in minute " + minute + ", the last of " + lastQuoteUnits + " units");
    }
  }
}
