package io.tollgrid.ledger.policy;

import java.util.List;

/**
 * Some of the credentials in force, in order of their ids.
 *
 * @param revision of the whole set: pages of different revisions do not belong together
 * @param credentials fewer than were asked for: the last page
 */
public record CredentialPage(long revision, List<CredentialRecord> credentials) {
  /** Keeps a copy. */
  public CredentialPage {
    credentials = List.copyOf(credentials);
    if (revision < 0) {
      throw new IllegalArgumentException("a revision is not negative: " + revision);
    }
  }
}
