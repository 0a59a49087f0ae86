package io.tollgrid.verification.faults.run;

import io.tollgrid.node.local.FreePorts;
import io.tollgrid.verification.faults.host.Hosts;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The members of a run.
 *
 * <p>A member that dies by a fault stays dead until it is started again; one that ends by itself,
 * to get a new process or for another reason, is started again at once, as any supervisor would,
 * and counted. Used by one thread.
 */
public final class Cluster implements AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final String HEAP = "384m";

  private final String name;
  private final Path directory;
  private final Hosts hosts;
  private final PostgresServer postgres;
  private final Path passwordFile;
  private final long seed;
  private final List<String> settings;
  private final List<Integer> ports;
  private final List<@Nullable ChildJvm> members;
  private final int[] starts;
  private final Map<String, Message> lastStatuses = new HashMap<>();
  private final Progress progress;
  private final Deadline deadline;
  private int restartsAsked;
  private int unexpectedEnds;
  private int silentDeaths;

  /**
   * Members that are not started yet.
   *
   * @param size how many
   * @param directory where logs, keys and histories go
   * @param hosts where members live
   * @param settings settings beyond those that make it a cluster, {@code key=value}
   * @param deadline after which it waits for nothing any more
   */
  Cluster(
      String name,
      int size,
      Path directory,
      Hosts hosts,
      PostgresServer postgres,
      Path passwordFile,
      long seed,
      List<String> settings,
      Progress progress,
      Deadline deadline) {
    this.name = name;
    this.directory = directory;
    this.hosts = hosts;
    this.postgres = postgres;
    this.passwordFile = passwordFile;
    this.seed = seed;
    this.settings = List.copyOf(settings);
    this.ports = FreePorts.take(size);
    this.members = new ArrayList<>(Collections.nCopies(size, null));
    this.starts = new int[size];
    this.progress = progress;
    this.deadline = deadline;
  }

  /** How many members it has when all are there. */
  public int size() {
    return ports.size();
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** The file of its operator key. */
  public Path operatorKeyFile() {
    return directory.resolve("operator.key");
  }

  /** {@code host:port} of every member. */
  public List<String> addresses() {
    return IntStream.range(0, size())
        .mapToObj(member -> hosts.member(member).address() + ":" + ports.get(member))
        .toList();
  }

  /** The settings of a member, as it will read them. */
  List<String> settingsOf(int member) {
    final List<String> all = new ArrayList<>();
    all.add("cluster.name=" + name);
    all.add("cluster.interface=" + hosts.member(member).address());
    all.add("cluster.port=" + ports.get(member));
    all.add("cluster.members=" + String.join(",", addresses()));
    all.add("cluster.expectedMembers=" + size());
    all.add("http.port=0");
    all.add("database.url=" + postgres.urlFor(processName(member)));
    all.add("database.user=" + postgres.address().user());
    all.add("database.passwordFile=" + passwordFile);
    all.add("operator.keyFile=" + operatorKeyFile());
    all.addAll(settings);
    return all;
  }

  private String processName(int member) {
    return "m" + member + "-" + starts[member];
  }

  /** Starts a member, again if it was started before. */
  public void start(int member) {
    starts[member]++;
    final List<String> arguments = settingsOf(member);
    arguments.add("seed=" + (seed + 1_000L * member + starts[member]));
    arguments.add(FaultNode.losing(LostConfirmations.fileOf(directory, processName(member))));
    members.set(
        member,
        ChildJvm.start(
            processName(member),
            hosts.member(member),
            FaultNode.class,
            arguments,
            HEAP,
            directory));
  }

  /** Kills a member; it stays dead. */
  public void kill(int member) {
    final ChildJvm process = members.get(member);
    members.set(member, null);
    if (process != null) {
      remember(process);
      process.kill();
    }
  }

  /** Has a member leave in order; it stays away. Returns whether it was gone in time. */
  public boolean leave(int member, long seconds) {
    final ChildJvm process = process(member);
    members.set(member, null);
    process.tell(Message.of(Words.LEAVE));
    final boolean left = process.awaitEnd(seconds);
    remember(process);
    process.close();
    return left;
  }

  /** Kills all members. */
  public void killAll() {
    for (int member = 0; member < size(); member++) {
      kill(member);
    }
  }

  /** Tells a member something. */
  public void tell(int member, Message message) {
    process(member).tell(message);
  }

  /** Whether a member lives. */
  public boolean isUp(int member) {
    final ChildJvm process = members.get(member);
    return process != null && process.isAlive();
  }

  /** The process of a member that lives. */
  public ChildJvm process(int member) {
    return Objects.requireNonNull(members.get(member), () -> "member " + member + " is dead");
  }

  /** The processes of all members that live. */
  public List<ChildJvm> living() {
    return members.stream().filter(process -> process != null && process.isAlive()).toList();
  }

  /** How often a member was started. */
  int starts(int member) {
    return starts[member];
  }

  /** Members whose process asked for a new one. */
  int restartsAsked() {
    return restartsAsked;
  }

  /** Members that ended by themselves for any other reason. */
  public int unexpectedEnds() {
    return unexpectedEnds;
  }

  /** Members that were dead and whose nodes had not noticed. */
  int silentDeaths() {
    return silentDeaths;
  }

  /** Starts again what ended by itself. Returns the members it started. */
  List<Integer> tend() {
    final List<Integer> started = new ArrayList<>();
    for (int member = 0; member < size(); member++) {
      final ChildJvm process = members.get(member);
      if (process != null && !process.isAlive()) {
        remember(process);
        switch (process.exitStatus()) {
          case FaultNode.RESTART -> restartsAsked++;
          case FaultNode.SILENT_DEATH -> silentDeaths++;
          default -> unexpectedEnds++;
        }
        progress.say(
            process.name()
                + " ended by itself with status "
                + process.exitStatus()
                + "; restarting");
        start(member);
        started.add(member);
      }
    }
    return started;
  }

  /** Whether every member that was not killed says that it is ready, in a cluster of that size. */
  boolean isWhole(int expected) {
    int ready = 0;
    for (final @Nullable ChildJvm process : members) {
      final Message status = process == null ? null : process.heard(Words.STATUS);
      if (status != null
          && process.isAlive()
          && status.number(Words.READY) == 1
          && status.number(Words.MEMBERS) == expected) {
        ready++;
      }
    }
    return ready == expected;
  }

  /**
   * Waits for a condition and tends the members meanwhile.
   *
   * @return whether it came true in time
   * @throws Deadline.OverdueException if the whole run has taken too long
   */
  boolean await(BooleanSupplier condition, long seconds, Runnable meanwhile) {
    final long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.getAsBoolean()) {
      deadline.check();
      if (System.nanoTime() - until > 0) {
        return false;
      }
      meanwhile.run();
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /** The last status of every process there was, by its name. */
  Map<String, Message> statuses() {
    for (final @Nullable ChildJvm process : members) {
      if (process != null) {
        remember(process);
      }
    }
    return Map.copyOf(lastStatuses);
  }

  /** The sum of a count over every process there was; what a kill left unsaid is missing. */
  public long total(String count) {
    return statuses().values().stream().mapToLong(status -> status.number(count)).sum();
  }

  /** The largest of a count over the processes that live. */
  public long most(String count) {
    long most = 0;
    for (final @Nullable ChildJvm process : members) {
      final Message status = process == null ? null : process.heard(Words.STATUS);
      most = Math.max(most, status == null ? 0 : status.number(count));
    }
    return most;
  }

  private void remember(ChildJvm process) {
    final Message status = process.heard(Words.STATUS);
    if (status != null) {
      lastStatuses.put(process.name(), status);
    }
  }

  @Override
  public void close() {
    killAll();
  }
}
