package io.tollgrid.verification.faults.ingest;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.client.BulkUsageWriter;
import io.tollgrid.client.UsageSettings;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.ledger.Id128;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A writer in a process of its own. It delivers its part of the plan and notes what it is told;
 * what an earlier start of it was told it does not deliver again, all else it does.
 *
 * <p>Arguments: the cluster's name, the directory of its files, which writer it is, of how many,
 * which start of it, the plan, then the addresses of the members.
 */
public final class UsageWriterProcess {
  /** Deliveries with an answer, those of earlier starts included. */
  static final String ANSWERED = "answered";

  static final String DELIVERED = "delivered";
  static final String ACKNOWLEDGEMENTS = "acknowledgements";
  static final String ACKNOWLEDGEMENTS_LOST = "acknowledgements-lost";
  static final String SENT_AGAIN = "sent-again";

  private static final int FIXED_WORDS = 5;
  private static final int CREDITS = 32_768;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration FLUSH_LOOK = Duration.ofSeconds(10);
  private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final UsagePlan plan;
  private final int which;
  private final int writers;
  private final LossyInbox inbox;
  private final BulkUsageWriter writer;
  private final ToldFile told;
  private final BitSet[] before;
  private final AtomicLong answered;
  private volatile long delivered;

  private UsageWriterProcess(
      UsagePlan plan,
      int which,
      int writers,
      LossyInbox inbox,
      BulkUsageWriter writer,
      ToldFile told,
      BitSet[] before) {
    this.plan = plan;
    this.which = which;
    this.writers = writers;
    this.inbox = inbox;
    this.writer = writer;
    this.told = told;
    this.before = before;
    this.answered = new AtomicLong(before[0].cardinality() + before[1].cardinality());
  }

  /** The file of a start of a writer. */
  static Path file(Path directory, int writer, int start) {
    return directory.resolve("writer-" + writer + "-" + start + ".told");
  }

  /** Delivers until everything has its answer, says so, and waits to be ended. */
  public static void main(String[] arguments) throws InterruptedException {
    final ParentLine line = ParentLine.open();
    line.listen(message -> System.err.println("nobody knows what to do about " + message));
    final List<String> words = List.of(arguments);
    final Path directory = Path.of(words.get(1));
    final int which = Integer.parseInt(words.get(2));
    final int start = Integer.parseInt(words.get(4));
    final UsagePlan plan = UsagePlan.of(words.subList(FIXED_WORDS, FIXED_WORDS + UsagePlan.WORDS));
    final BitSet[] before = {new BitSet(plan.events()), new BitSet(plan.events())};
    for (int earlier = 1; earlier < start; earlier++) {
      read(file(directory, which, earlier), before);
    }
    final HazelcastInstance hazelcast =
        Connections.client(
            words.get(0), words.subList(FIXED_WORDS + UsagePlan.WORDS, words.size()));
    final LossyInbox inbox =
        new LossyInbox(
            new GridUsageInbox(hazelcast, ANSWER_WITHIN),
            plan.seed() * 1_000 + which * 100L + start);
    final UsageSettings defaults = UsageSettings.DEFAULTS;
    final BulkUsageWriter writer =
        BulkUsageWriter.start(
            inbox,
            new SystemClock(),
            new RandomIds(),
            new UsageSettings(
                defaults.lingerNanos(),
                defaults.batchEvents(),
                CREDITS,
                defaults.lanes(),
                defaults.slotsPerLane()));
    final ToldFile told = ToldFile.create(file(directory, which, start), writer.id());
    inbox.listen(
        (delivery, verdict) ->
            told.write(
                plan.numberOf(delivery.event().requestId(), delivery.event().part()),
                delivery.event().sequence(),
                ToldFile.LOST,
                verdict));
    final UsageWriterProcess self =
        new UsageWriterProcess(
            plan, which, Integer.parseInt(words.get(3)), inbox, writer, told, before);
    final Thread status = new Thread(() -> self.report(line), "status");
    status.setDaemon(true);
    status.start();
    self.deliver();
    told.flush();
    line.say(self.message(Words.FINISHED));
    Thread.currentThread().join();
  }

  /** A start that was killed before it could begin has left nothing. */
  private static void read(Path file, BitSet[] before) {
    if (Files.exists(file)) {
      final Id128 unused =
          ToldFile.read(
              file,
              (event, sequence, copy, verdict) -> {
                if (copy != ToldFile.LOST) {
                  before[copy].set(event);
                }
              });
    }
  }

  private void deliver() throws InterruptedException {
    final DeliveryOrder order = new DeliveryOrder(plan, which, writers);
    while (order.advance()) {
      final int event = order.event();
      final int copy = order.copy();
      if (!before[copy].get(event)) {
        final UsagePlan.Part part = plan.part(event);
        final long sequence = delivered + 1;
        delivered = sequence;
        writer.write(
            part.account(),
            part.event(),
            verdict -> {
              told.write(event, sequence, copy, verdict);
              answered.incrementAndGet();
            });
      }
    }
    while (!writer.flush(FLUSH_LOOK)) {
      System.err.println(writer.open() + " events have no answer yet");
    }
  }

  private void report(ParentLine line) {
    while (true) {
      told.flush();
      line.say(message(Words.STATUS));
      LockSupport.parkNanos(STATUS_NANOS);
    }
  }

  private Message message(String kind) {
    final TreeMap<String, String> counts = new TreeMap<>();
    counts.put(ANSWERED, Long.toString(answered.get()));
    counts.put(DELIVERED, Long.toString(delivered));
    counts.put(ACKNOWLEDGEMENTS, Long.toString(inbox.acknowledgements.sum()));
    counts.put(ACKNOWLEDGEMENTS_LOST, Long.toString(inbox.acknowledgementsLost.sum()));
    counts.put(SENT_AGAIN, Long.toString(inbox.sentAgain.sum()));
    return new Message(kind, counts);
  }
}
