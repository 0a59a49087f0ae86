package io.tollgrid.node.cli;

import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.node.demo.Demo;
import io.tollgrid.node.local.LocalSystem;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The product's main job in one command: a node, three instances, a load, and the books at the end.
 */
@Command(
    name = "demo",
    description =
        "Starts a node with an embedded PostgreSQL and three instances under an LLM-like load.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:every unit is accounted for",
      "1:something was left behind, or the books do not agree",
      "2:it could not start"
    })
final class DemoCommand implements Callable<Integer> {
  private static final Duration FOR_EVER = Duration.ofDays(365);
  private static final long STOPS_WITHIN_SECONDS = 60;

  @Spec private @Nullable CommandSpec spec;

  @ArgGroup(exclusive = true)
  private @Nullable Source source;

  @Option(
      names = "--duration",
      paramLabel = "D",
      description = "how long the load lasts, for example 20s or 5m; without it, until interrupted")
  private @Nullable String duration;

  @Override
  public Integer call() throws SQLException, InterruptedException {
    final Duration lasts = duration == null ? FOR_EVER : parse(duration);
    final PrintWriter out = Console.out(spec);
    out.println("demo: starting a node with an embedded PostgreSQL");
    out.flush();
    final CountDownLatch done = new CountDownLatch(1);
    try (LocalSystem system = Source.startLocal(source)) {
      out.println("demo: node ready, probes and metrics on port " + system.node().httpPort());
      final Demo demo = new Demo(system.node(), new SystemClock(), new RandomIds());
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> interrupted(demo, done), "tollgrid-demo-stop"));
      final Demo.Result result = demo.run(lasts, snapshot -> print(out, snapshot));
      print(out, result);
      return result.good() ? ExitCode.GOOD : ExitCode.CHECK_FAILED;
    } finally {
      done.countDown();
    }
  }

  private static void interrupted(Demo demo, CountDownLatch done) {
    demo.stop();
    try {
      if (!done.await(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("tollgrid: the demo did not settle its accounts in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration parse(String text) {
    try {
      return Duration.parse("PT" + text.strip());
    } catch (DateTimeParseException e) {
      throw new CommandFailure("--duration is a time like 20s, 5m or 1h, not " + text, e);
    }
  }

  private static void print(PrintWriter out, Demo.Snapshot now) {
    out.printf(
        "demo: %3d s  %,d served (%,d/s), %,d units; denied %s%n",
        now.elapsed().toSeconds(),
        now.served(),
        now.served() * 1_000 / Math.max(1, now.elapsed().toMillis()),
        now.billedUnits(),
        denials(now));
    out.flush();
  }

  private static String denials(Demo.Snapshot now) {
    return now.denied().isEmpty()
        ? "none"
        : now.denied().entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
  }

  private static void print(PrintWriter out, Demo.Result result) {
    final var books = result.books();
    out.printf(
        "demo: %,d requests served, denied %s%n", result.total().served(), denials(result.total()));
    out.printf(
        "demo: %,d units deposited + %,d overage = %,d left + %,d outstanding + %,d billed + %,d lost + %,d expired%n",
        books.deposited(),
        books.overage(),
        books.balance(),
        books.outstanding(),
        books.billed(),
        books.loss(),
        books.expired());
    out.printf(
        "demo: leases outstanding %d, loss %d, unfunded %,d, overspent accounts %d, conservation %s, usage %s%n",
        books.outstanding(),
        books.loss(),
        books.unfunded(),
        books.overspent(),
        books.exact() ? "exact" : "off by " + books.gap(),
        result.agrees() ? "agrees to the unit" : "DISAGREES");
    result.instances().stream()
        .filter(report -> !report.isClean())
        .forEach(report -> out.println("demo: an instance left something behind: " + report));
    out.flush();
  }
}
