package io.tollgrid.node.local;

import io.tollgrid.client.config.Stated;
import io.tollgrid.node.NodeSeams;
import io.tollgrid.node.TollgridNode;
import io.tollgrid.node.config.ConfigLoader;
import io.tollgrid.node.config.NodeConfig;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running node of a local system; closing it stops the node and removes what was only lent. Not
 * thread-safe.
 */
public final class LocalSystem implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalSystem.class);
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TollgridNode node;
  private final @Nullable Path lent;

  private LocalSystem(TollgridNode node, @Nullable Path lent) {
    this.node = node;
    this.lent = lent;
  }

  /**
   * Starts a node whose data is removed at the end, and waits until it is ready.
   *
   * @throws LocalSystemException if it is not ready within a minute
   */
  public static LocalSystem throwAway() {
    return throwAway(NodeSeams.none());
  }

  /**
   * As {@link #throwAway()}, of a node that a harness can reach into.
   *
   * @param stated keys of its configuration that are not to be the default
   */
  public static LocalSystem throwAway(NodeSeams seams, Stated... stated) {
    final Path lent = temporaryDirectory();
    return start(configuration(lent.resolve("data"), stated), seams, lent);
  }

  /** Starts a node that keeps its data in {@code directory}, and waits until it is ready. */
  public static LocalSystem in(Path directory) {
    return start(configuration(directory), NodeSeams.none(), null);
  }

  private static NodeConfig configuration(Path directory, Stated... more) {
    final List<Stated> stated = new ArrayList<>(List.of(more));
    stated.add(new Stated("cluster.name", "tollgrid-local-" + UUID.randomUUID(), "--data"));
    stated.add(new Stated("cluster.port", FreePorts.take(1).get(0).toString(), "--data"));
    stated.add(new Stated("http.port", "0", "--data"));
    stated.add(new Stated("database.dataDir", directory.toAbsolutePath().toString(), "--data"));
    return ConfigLoader.load(null, Map.of(), stated, directory.toAbsolutePath()).config();
  }

  /** Starts a node as configured, and waits until it is ready; nothing is removed at the end. */
  public static LocalSystem of(NodeConfig config) {
    return start(config, NodeSeams.none(), null);
  }

  private static LocalSystem start(NodeConfig config, NodeSeams seams, @Nullable Path lent) {
    TollgridNode node = null;
    boolean ready = false;
    try {
      node = TollgridNode.start(config, seams);
      awaitReady(node);
      ready = true;
      return new LocalSystem(node, lent);
    } finally {
      if (!ready) {
        if (node != null) {
          node.close();
        }
        remove(lent);
      }
    }
  }

  /** The node. */
  public TollgridNode node() {
    return node;
  }

  @Override
  public void close() {
    node.close();
    remove(lent);
  }

  private static void awaitReady(TollgridNode node) {
    for (long left = READY_WITHIN.toNanos(); !node.ready(); left -= POLL_NANOS) {
      if (left <= 0 || !node.alive()) {
        throw new LocalSystemException("the node is not ready: " + node.readiness(), null);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("tollgrid-");
    } catch (IOException e) {
      throw new LocalSystemException("no temporary directory can be made: " + e.getMessage(), e);
    }
  }

  private static void remove(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.warn("the temporary data in {} could not be removed", directory, e);
    }
  }
}
