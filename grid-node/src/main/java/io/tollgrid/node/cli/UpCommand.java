package io.tollgrid.node.cli;

import io.tollgrid.node.NodeEnd;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.config.NodeConfig;
import io.tollgrid.node.http.ReadinessReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Runs one node until it is told to stop.
 *
 * <p>On SIGTERM or SIGINT it stops in order. It ends by itself with {@link ExitCode#RESTART} when
 * only a new process can repair its part in CP: whatever supervises it is expected to start it
 * again.
 */
@Command(
    name = "up",
    description = "Runs a node until it is told to stop.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:it was told to stop, and did",
      "1:its grid member ended by itself",
      "2:it could not start",
      "75:start it again: a new process repairs what this one cannot"
    })
final class UpCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 500;

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Source source = new Source();

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    final NodeConfig config = source.load(System.getenv()).config();
    final CompletableFuture<TollgridNode> started = new CompletableFuture<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(started), "tollgrid-stop"));
    try {
      started.complete(TollgridNode.start(config));
    } catch (RuntimeException | Error e) {
      started.cancel(false);
      throw e;
    }
    final NodeEnd end = watch(started.join());
    started.join().close();
    return switch (end.kind()) {
      case STOPPED -> ExitCode.GOOD;
      case DIED -> ExitCode.CHECK_FAILED;
      case RESTART -> ExitCode.RESTART;
    };
  }

  /** A signal during the start waits for it: half a node cannot be stopped in order. */
  private static void stop(CompletableFuture<TollgridNode> started) {
    started
        .handle(
            (node, failure) -> {
              if (node != null) {
                node.close();
              }
              return null;
            })
        .join();
  }

  /** Says when the node becomes ready and when it stops to be, until it ends. */
  private NodeEnd watch(TollgridNode node) throws InterruptedException, ExecutionException {
    final CompletableFuture<NodeEnd> ended = node.ended().toCompletableFuture();
    @Nullable List<String> said = null;
    while (true) {
      final ReadinessReport report = node.readiness();
      if (!report.reasons().equals(said)) {
        said = report.reasons();
        say(node, report);
      }
      final Optional<NodeEnd> end = within(ended);
      if (end.isPresent()) {
        return end.get();
      }
    }
  }

  private static Optional<NodeEnd> within(CompletableFuture<NodeEnd> ended)
      throws InterruptedException, ExecutionException {
    try {
      return Optional.of(ended.get(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    }
  }

  private void say(TollgridNode node, ReadinessReport report) {
    if (report.ready()) {
      final PrintWriter out = spec.commandLine().getOut();
      out.println(
          "ready: member "
              + node.hazelcast().getCluster().getLocalMember().getAddress()
              + ", probes on port "
              + node.httpPort());
      out.flush();
    } else {
      final PrintWriter err = spec.commandLine().getErr();
      err.println("tollgrid: not ready: " + String.join("; ", report.reasons()));
      err.flush();
    }
  }
}
