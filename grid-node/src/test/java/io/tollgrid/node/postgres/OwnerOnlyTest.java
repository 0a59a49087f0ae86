package io.tollgrid.node.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses R42's half for files a node makes: what exists is whole, whoever else was making it.
 */
class OwnerOnlyTest {
  private static final int CREATORS = 4;
  private static final int ROUNDS = 100;
  private static final String CONTENT = "0123456789abcdef".repeat(4);

  @TempDir private Path directory;

  @Test
  void aFileThatSeveralCreateAtOnceIsWholeForEachOfThem() throws Exception {
    final ExecutorService threads = Executors.newFixedThreadPool(CREATORS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        final Path file = directory.resolve("key-" + round);
        final CyclicBarrier together = new CyclicBarrier(CREATORS);
        final List<Future<Boolean>> created = new ArrayList<>();
        for (int i = 0; i < CREATORS; i++) {
          created.add(
              threads.submit(
                  () -> {
                    together.await();
                    final boolean first = OwnerOnly.create(file, CONTENT);
                    assertThat(Files.readString(file)).isEqualTo(CONTENT);
                    return first;
                  }));
        }
        int firsts = 0;
        for (final Future<Boolean> one : created) {
          firsts += one.get() ? 1 : 0;
        }
        assertThat(firsts).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).hasSize(ROUNDS);
    }
  }

  @Test
  void onlyItsOwnerMayReadIt() throws Exception {
    final Path file = directory.resolve("key");

    assertThat(OwnerOnly.create(file, CONTENT)).isTrue();
    assertThat(OwnerOnly.create(file, "other")).isFalse();

    assertThat(Files.readString(file)).isEqualTo(CONTENT);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
