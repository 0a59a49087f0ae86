package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;

/** For whom a credential speaks (R43). */
public sealed interface CredentialBinding {
  /**
   * A service credential: one subject.
   *
   * @param principal the subject's principal
   */
  record OneSubject(Id128 principal) implements CredentialBinding {}

  /**
   * A metering key: every subject whose name begins so.
   *
   * @param prefix 1 to {@value Subject#MAX_NAME_CHARS} characters
   */
  record SubjectsUnder(String prefix) implements CredentialBinding {
    /** Refuses a prefix that every name has, and one that no name can have. */
    public SubjectsUnder {
      if (prefix.isEmpty() || !Subject.isPrefix(prefix)) {
        throw new IllegalArgumentException(
            "a prefix of subjects has 1 to "
                + Subject.MAX_NAME_CHARS
                + " characters, none of them a control character, not "
                + prefix.length());
      }
    }
  }
}
