package io.tollgrid.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.MalformedBytesException;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R18 and R55: which answers of a ledger are told to everybody, and that word of them
 * survives the wire.
 */
class AnnouncementsTest {
  private static final Id128 ACCOUNT = new Id128(-1, 2);
  private static final Id128 ID = new Id128(3, 4);
  private static final Recall RECALL = new Recall(50, new Id128(5, 6), 6, 7);

  private static List<Change> of(LedgerCommand command, Outcome outcome, @Nullable Recall recall) {
    return Announcements.of(
        new LedgerRequest(ACCOUNT, "test", 1, command), new LedgerAnswer(outcome, 9, 1, recall));
  }

  @Test
  void whatRaisesFundingIsTold() {
    final List<Change> raised = List.of(new Change.FundingRaised(ACCOUNT, 9));
    assertThat(of(new LedgerCommand.Deposit(ID, 5), new Outcome.Funded(5, 9), null))
        .isEqualTo(raised);
    assertThat(of(new LedgerCommand.Cross(), new Outcome.Crossed(2, 9), null)).isEqualTo(raised);
    assertThat(
            of(
                new LedgerCommand.SetSchedule(
                    ID, BudgetSchedule.monthlyUtc(5), LedgerCommand.SetSchedule.Effective.BOUNDARY),
                new Outcome.Changed(1, 9),
                null))
        .isEqualTo(raised);
  }

  @Test
  void aPolicyThatChangesIsToldAsSuch() {
    final List<Change> changed = List.of(new Change.AccountChanged(ACCOUNT));
    assertThat(
            of(
                new LedgerCommand.SetStatus(ID, AccountStatus.SUSPENDED),
                new Outcome.Changed(2, 9),
                null))
        .isEqualTo(changed);
    assertThat(
            of(
                new LedgerCommand.SetTerms(ID, AccountTerms.elastic(5)),
                new Outcome.Changed(2, 9),
                null))
        .isEqualTo(changed);
  }

  @Test
  void whatComesHomeIsToldIfSomeoneWaitsForIt() {
    final LedgerCommand back = new LedgerCommand.Return(ID, 1, 1, 5);
    final Outcome five =
        new Outcome.Stepped(ID, new LeaseStep(1, LeaseStep.Kind.RETURN, 5, 5, 0, 0, 1));
    final Outcome none =
        new Outcome.Stepped(ID, new LeaseStep(1, LeaseStep.Kind.RETURN, 5, 0, 5, 0, 1));

    assertThat(of(back, five, RECALL)).containsExactly(new Change.FundingRaised(ACCOUNT, 9));
    assertThat(of(back, five, null)).isEmpty();
    assertThat(of(back, none, RECALL)).isEmpty();
  }

  @Test
  void aRefusalIsNobodyElsesBusiness() {
    assertThat(
            of(
                new LedgerCommand.Deposit(ID, 5),
                new Outcome.Refused(Refusal.BALANCE_EXHAUSTED, new Evidence(0, 1, 1)),
                RECALL))
        .isEmpty();
  }

  @Test
  void wordSurvivesTheWireAndNoPartOfItIsUnderstood() {
    for (final Change change :
        List.of(
            new Change.FundingRaised(ACCOUNT, 9),
            new Change.UnitsRecalled(ACCOUNT, RECALL),
            new Change.AccountChanged(ACCOUNT),
            new Change.PlanChanged("chat"),
            new Change.PrincipalChanged(ID),
            new Change.CredentialRetired(ID),
            new Change.CredentialsChanged())) {
      final byte[] bytes = change.toBytes();
      assertThat(Change.fromBytes(bytes)).isEqualTo(change);
      for (int length = 0; length < bytes.length; length++) {
        final byte[] prefix = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> Change.fromBytes(prefix))
            .isInstanceOf(MalformedBytesException.class);
      }
    }
  }

  @Property(tries = 1_000)
  void anyBytesAreUnderstoodOrMalformed(@ForAll @Size(max = 48) byte[] bytes) {
    try {
      assertThat(Change.fromBytes(bytes)).isNotNull();
    } catch (MalformedBytesException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
  }
}
