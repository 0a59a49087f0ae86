package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.check.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges a run: what is stored and what writers were told, against what the plan says of every
 * event. Rows are handed to it one by one; it keeps some fifteen bytes for each delivery. Not
 * thread-safe.
 */
final class IngestCheck {
  /** Violations kept with their details; more are only counted. */
  static final int MAX_KEPT = 100;

  private static final UsageVerdict[] VERDICTS = UsageVerdict.values();

  /** What an account's books must show. */
  private static final class Books {
    long billed;
    long unfunded;
    long overage;
    long leased;
    long straggled;
  }

  private final UsagePlan plan;
  private final BitSet[] answered;
  private final List<ToldAnswers> writers = new ArrayList<>();
  private final Map<Id128, Integer> writersById = new HashMap<>();
  private final BitSet[] keptOfWriter;

  /** Of each event the writer whose delivery was accepted, from 1, and which delivery that was. */
  private final byte[] acceptedBy;

  private final int[] acceptedAs;
  private final BitSet ledger;
  private final Books[] books;
  private final Map<Id128, Integer> accounts = new HashMap<>();
  private final BitSet accountsSeen = new BitSet();
  private final BitSet leasesSeen = new BitSet();
  private final Map<UsageVerdict, Long> classes = new EnumMap<>(UsageVerdict.class);
  private final Map<UsageVerdict, Long> told = new EnumMap<>(UsageVerdict.class);
  private final List<Violation> violations = new ArrayList<>();
  private long found;
  private long expectedDeliveries;
  private long rejectedRows;

  /**
   * Reads what writers were told.
   *
   * @param files one for each start of a writer
   */
  IngestCheck(UsagePlan plan, List<Path> files) {
    this.plan = plan;
    this.answered = new BitSet[] {new BitSet(plan.events()), new BitSet(plan.events())};
    this.acceptedBy = new byte[plan.events()];
    this.acceptedAs = new int[plan.events()];
    this.ledger = new BitSet(plan.events());
    this.books = new Books[plan.accounts()];
    for (int account = 0; account < plan.accounts(); account++) {
      books[account] = new Books();
      accounts.put(plan.account(account), account);
    }
    if (files.size() > Byte.MAX_VALUE) {
      throw new IllegalArgumentException(files.size() + " writers are too many to be told apart");
    }
    for (final Path file : files) {
      final ToldAnswers answers = new ToldAnswers(file, answered, this::contradicted);
      writers.add(answers);
      if (writersById.put(answers.writer(), writers.size()) != null) {
        throw new IllegalArgumentException("two writers are " + answers.writer());
      }
    }
    this.keptOfWriter = new BitSet[writers.size()];
    for (int i = 0; i < keptOfWriter.length; i++) {
      keptOfWriter[i] = new BitSet();
    }
    expect();
  }

  private void expect() {
    for (int event = 0; event < plan.events(); event++) {
      final UsagePlan.Part part = plan.part(event);
      final long units = part.event().units();
      classes.merge(part.verdict(), 1L, Long::sum);
      expectedDeliveries += plan.isRedelivered(event) ? 2 : 1;
      if (part.isValid()) {
        final Books of = books[part.accountIndex()];
        switch (part.verdict()) {
          case UNFUNDED -> of.unfunded += units;
          case OVERAGE -> of.overage += units;
          case LEASED -> of.leased += units;
          default -> of.straggled += units;
        }
        of.billed = of.overage + of.leased + of.straggled;
      }
    }
  }

  private void contradicted(int event, int sequence, UsageVerdict before, UsageVerdict verdict) {
    report(
        Violation.Kind.CLASSIFICATION_CHANGED,
        event,
        "one classification of delivery " + sequence + ", " + before,
        verdict.toString());
  }

  /** A row that says which delivery of a part was accepted. */
  void accepted(StoredUsage row) {
    final int event = numberOf(row, true);
    final int writer = writersById.getOrDefault(row.writer(), 0);
    if (event < 0 || !isFromWriter(row, event, writer)) {
      return;
    }
    if (acceptedBy[event] != 0) {
      report(Violation.Kind.RECORDED_TWICE, event, "one row", "another, " + row);
    }
    acceptedBy[event] = (byte) writer;
    acceptedAs[event] = (int) row.sequence();
  }

  /** A row of the usage ledger; all of {@link #accepted} come first. */
  void billed(StoredUsage row) {
    final int event = numberOf(row, true);
    if (event < 0) {
      return;
    }
    if (ledger.get(event)) {
      report(Violation.Kind.RECORDED_TWICE, event, "one event in the usage ledger", "two, " + row);
    }
    ledger.set(event);
    if (acceptedBy[event] != writersById.getOrDefault(row.writer(), 0)
        || acceptedAs[event] != row.sequence()) {
      report(Violation.Kind.RECORDED_TWICE, event, "the delivery that was accepted", row + "");
    }
  }

  /** A row of what was rejected. */
  void rejected(StoredUsage row) {
    final int event = numberOf(row, false);
    final int writer = writersById.getOrDefault(row.writer(), 0);
    if (event < 0 || !isFromWriter(row, event, writer)) {
      return;
    }
    rejectedRows++;
    final BitSet kept = keptOfWriter[writer - 1];
    if (kept.get((int) row.sequence())) {
      report(Violation.Kind.RECORDED_TWICE, event, "one row of a delivery", "another, " + row);
    }
    kept.set((int) row.sequence());
  }

  /** The event a row is about, or -1 if it is not what the plan says. */
  private int numberOf(StoredUsage row, boolean accepted) {
    final int event = plan.numberOf(row.requestId(), row.part());
    final UsagePlan.@Nullable Part part = event < 0 ? null : plan.part(event);
    if (part == null || !part.account().equals(row.account())) {
      report(
          Violation.Kind.NOBODY_ASKED,
          row.account(),
          "a row of an event that was delivered",
          row.toString());
      return -1;
    }
    if (part.isValid() != accepted
        || VERDICTS[row.verdict()] != part.verdict()
        || part.event().units() != row.units()) {
      report(
          Violation.Kind.CLASSIFIED_WRONGLY,
          event,
          part.verdict() + " of " + part.event().units() + " units",
          row.toString());
    }
    return event;
  }

  /** Whether a delivery was made, and its writer was told what the row says if it was told. */
  private boolean isFromWriter(StoredUsage row, int event, int writer) {
    if (writer == 0) {
      report(Violation.Kind.NOBODY_ASKED, event, "a writer of this run", row.toString());
      return false;
    }
    final ToldAnswers answers = writers.get(writer - 1);
    if (answers.knows(row.sequence())
        && (answers.event(row.sequence()) != event
            || answers.verdict(row.sequence()) != VERDICTS[row.verdict()])) {
      report(
          Violation.Kind.CLASSIFICATION_CHANGED,
          event,
          "the delivery that was told "
              + answers.verdict(row.sequence())
              + " of event "
              + answers.event(row.sequence()),
          row.toString());
    }
    return true;
  }

  /** The books of an account. */
  void account(Id128 id, long billed, long unfunded, long overage) {
    final @Nullable Integer account = accounts.get(id);
    if (account == null) {
      report(Violation.Kind.NOBODY_ASKED, id, "an account that was founded", "another");
      return;
    }
    accountsSeen.set(account);
    final Books of = books[account];
    if (billed != of.billed || unfunded != of.unfunded || overage != of.overage) {
      report(
          Violation.Kind.BILLED_WRONGLY,
          id,
          "billed " + of.billed + ", unfunded " + of.unfunded + ", overage " + of.overage,
          "billed " + billed + ", unfunded " + unfunded + ", overage " + overage);
    }
  }

  /** What was billed to a lease. */
  void lease(Id128 account, long fence, long billed) {
    final @Nullable Integer index = accounts.get(account);
    if (index == null || fence < UsagePlan.LOST_FENCE || fence > UsagePlan.ACTIVE_FENCE) {
      report(Violation.Kind.NOBODY_ASKED, account, "the leases it was founded with", "another");
      return;
    }
    leasesSeen.set(2 * index + (int) (fence - UsagePlan.LOST_FENCE));
    final Books of = books[index];
    final long expected = fence == UsagePlan.ACTIVE_FENCE ? of.leased : of.straggled;
    if (billed != expected) {
      report(
          Violation.Kind.BILLED_WRONGLY,
          account,
          expected + " billed to the lease with fence " + fence,
          Long.toString(billed));
    }
  }

  /** Judges what was told, once all rows were handed over, and returns what was found. */
  List<Violation> finish() {
    if (accountsSeen.cardinality() != plan.accounts()
        || leasesSeen.cardinality() != 2 * plan.accounts()) {
      report(
          Violation.Kind.STORE_DIFFERS,
          (Id128) null,
          plan.accounts() + " accounts with two leases",
          accountsSeen.cardinality() + " with " + leasesSeen.cardinality());
    }
    for (int event = 0; event < plan.events(); event++) {
      finish(event);
    }
    final BitSet acceptances = new BitSet(plan.events());
    for (int writer = 1; writer <= writers.size(); writer++) {
      finish(writer, writers.get(writer - 1), acceptances);
    }
    return List.copyOf(violations);
  }

  private void finish(int event) {
    final boolean valid = plan.part(event).isValid();
    if (valid && (acceptedBy[event] == 0 || !ledger.get(event))) {
      report(
          Violation.Kind.USAGE_LOST,
          event,
          "a row of its acceptance, and one in the usage ledger",
          acceptedBy[event] == 0 ? "no acceptance" : "no usage");
    }
    for (int copy = 0; copy <= (plan.isRedelivered(event) ? 1 : 0); copy++) {
      if (!answered[copy].get(event)) {
        report(Violation.Kind.USAGE_LOST, event, "an answer to delivery " + copy, "none");
      }
    }
  }

  private void finish(int writer, ToldAnswers answers, BitSet acceptances) {
    for (int sequence = 1; sequence <= answers.last(); sequence++) {
      if (!answers.knows(sequence)) {
        continue;
      }
      final int event = answers.event(sequence);
      final UsageVerdict verdict = answers.verdict(sequence);
      final UsagePlan.Part part = plan.part(event);
      if (answers.heard(sequence)) {
        told.merge(verdict, 1L, Long::sum);
      }
      if (verdict != part.verdict() && !(part.isValid() && verdict == UsageVerdict.DUPLICATE)) {
        report(
            Violation.Kind.CLASSIFIED_WRONGLY,
            event,
            part.verdict().toString(),
            "writer " + answers.writer() + " was told " + verdict);
      }
      final boolean mine = acceptedBy[event] == writer && acceptedAs[event] == sequence;
      final boolean onRecord =
          switch (verdict.kind()) {
            case ACCEPTED -> mine;
            case DUPLICATE -> acceptedBy[event] != 0 && !mine;
            case REJECTED -> keptOfWriter[writer - 1].get(sequence);
          };
      if (!onRecord) {
        report(
            Violation.Kind.USAGE_LOST,
            event,
            verdict + " of delivery " + answers.writer() + "/" + sequence + " on record",
            "it is not");
      }
      if (verdict.kind() == UsageVerdict.Kind.ACCEPTED) {
        if (acceptances.get(event)) {
          report(Violation.Kind.RECORDED_TWICE, event, "one accepted delivery", "two");
        }
        acceptances.set(event);
      }
    }
  }

  private void report(Violation.Kind kind, int event, String expected, String seen) {
    report(kind, plan.part(event).account(), "event " + event + ": " + expected, seen);
  }

  private void report(Violation.Kind kind, @Nullable Id128 account, String expected, String seen) {
    found++;
    if (violations.size() < MAX_KEPT) {
      violations.add(new Violation(kind, account, null, expected, seen));
    }
  }

  /** How many violations there are, kept or not. */
  long found() {
    return found;
  }

  /** What was counted, by name. */
  void count(Map<String, Long> facts) {
    facts.put("events", (long) plan.events());
    facts.put("deliveries_planned", expectedDeliveries);
    facts.put("redelivered", expectedDeliveries - plan.events());
    facts.put("writer_starts", (long) writers.size());
    facts.put("classifications_lost", writers.stream().mapToLong(ToldAnswers::lost).sum());
    facts.put("rejected_kept", rejectedRows);
    facts.put("violations_found", found);
    classes.forEach((verdict, count) -> facts.put("class_" + verdict, count));
    told.forEach((verdict, count) -> facts.put("told_" + verdict, count));
  }
}
