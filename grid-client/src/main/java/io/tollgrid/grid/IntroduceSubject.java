package io.tollgrid.grid;

import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.Subject;

/** Introduces a subject to the authority, on a data member. */
final class IntroduceSubject extends MemberTask {
  private final Subject subject;

  IntroduceSubject(Subject subject) {
    this.subject = subject;
  }

  Subject subject() {
    return subject;
  }

  @Override
  byte[] on(LedgerMember services) {
    return PolicyCodec.encodeIntroduction(services.introductions().introduce(subject));
  }
}
