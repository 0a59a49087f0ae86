package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.verification.faults.check.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A run in which everything went right, whose evidence may be falsified before it is judged. */
final class HonestIngest {
  /** One answer of a file. */
  record Answer(int event, int sequence, int copy, UsageVerdict verdict) {}

  private static final int WRITERS = 3;

  final UsagePlan plan;
  final List<List<Answer>> told = new ArrayList<>();
  final List<StoredUsage> accepted = new ArrayList<>();
  final List<StoredUsage> billed = new ArrayList<>();
  final List<StoredUsage> rejected = new ArrayList<>();
  final long[] billedUnits;
  final long[] unfundedUnits;
  final long[] overageUnits;
  final long[] leasedUnits;
  final long[] straggledUnits;

  @SuppressWarnings("EnumOrdinal") // as it is stored
  HonestIngest(UsagePlan plan) {
    this.plan = plan;
    billedUnits = new long[plan.accounts()];
    unfundedUnits = new long[plan.accounts()];
    overageUnits = new long[plan.accounts()];
    leasedUnits = new long[plan.accounts()];
    straggledUnits = new long[plan.accounts()];
    final boolean[] recorded = new boolean[plan.events()];
    for (int writer = 0; writer < WRITERS; writer++) {
      told.add(new ArrayList<>());
      final DeliveryOrder order = new DeliveryOrder(plan, writer, WRITERS);
      for (int sequence = 1; order.advance(); sequence++) {
        final int event = order.event();
        final UsagePlan.Part part = plan.part(event);
        final UsageVerdict verdict = recorded[event] ? UsageVerdict.DUPLICATE : part.verdict();
        told.get(writer).add(new Answer(event, sequence, order.copy(), verdict));
        final StoredUsage row =
            new StoredUsage(
                part.account(),
                part.event().requestId(),
                part.event().part(),
                writer(writer),
                sequence,
                verdict.ordinal(),
                part.event().units());
        if (verdict.kind() == UsageVerdict.Kind.ACCEPTED) {
          recorded[event] = true;
          accepted.add(row);
          billed.add(row);
          book(part);
        } else if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
          rejected.add(row);
        }
      }
    }
  }

  private void book(UsagePlan.Part part) {
    final int account = part.accountIndex();
    final long units = part.event().units();
    switch (part.verdict()) {
      case UNFUNDED -> unfundedUnits[account] += units;
      case OVERAGE -> overageUnits[account] += units;
      case LEASED -> leasedUnits[account] += units;
      default -> straggledUnits[account] += units;
    }
    billedUnits[account] += part.verdict() == UsageVerdict.UNFUNDED ? 0 : units;
  }

  static Id128 writer(int writer) {
    return new Id128(7, writer + 1);
  }

  /** Writes what was told. Returns the files. */
  List<Path> files(Path directory) {
    final List<Path> files = new ArrayList<>();
    for (int writer = 0; writer < told.size(); writer++) {
      final Path file = UsageWriterProcess.file(directory, writer, 1);
      try (ToldFile out = ToldFile.create(file, writer(writer))) {
        told.get(writer)
            .forEach(
                answer ->
                    out.write(answer.event(), answer.sequence(), answer.copy(), answer.verdict()));
      }
      files.add(file);
    }
    return files;
  }

  /** Judges it without a database. */
  List<Violation> judge(Path directory) {
    final IngestCheck check = new IngestCheck(plan, files(directory));
    accepted.forEach(check::accepted);
    billed.forEach(check::billed);
    rejected.forEach(check::rejected);
    for (int account = 0; account < plan.accounts(); account++) {
      final Id128 id = plan.account(account);
      check.account(id, billedUnits[account], unfundedUnits[account], overageUnits[account]);
      check.lease(id, UsagePlan.ACTIVE_FENCE, leasedUnits[account]);
      check.lease(id, UsagePlan.LOST_FENCE, straggledUnits[account]);
    }
    return check.finish();
  }

  /** Where the first answer of a kind is: the writer, and the place in its list. */
  int[] first(UsageVerdict.Kind kind) {
    for (int writer = 0; writer < told.size(); writer++) {
      final List<Answer> answers = told.get(writer);
      final Optional<Answer> found =
          answers.stream().filter(answer -> answer.verdict().kind() == kind).findFirst();
      if (found.isPresent()) {
        return new int[] {writer, answers.indexOf(found.get())};
      }
    }
    throw new AssertionError("nothing was " + kind);
  }
}
