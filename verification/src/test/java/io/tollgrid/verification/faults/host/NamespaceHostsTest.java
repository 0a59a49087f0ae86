package io.tollgrid.verification.faults.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Witnesses that hosts are cut off as they are said to be, and disks are as small. */
class NamespaceHostsTest {
  private static final long DISK_BYTES = 16L << 20;

  @Test
  void whoIsCutOffReachesNobodyUntilItIsHealed() throws Exception {
    final List<String> whyNot = new ArrayList<>();
    final Optional<Hosts> opened = NamespaceHosts.open(2, 1, whyNot::add);
    assumeTrue(opened.isPresent(), whyNot::toString);
    try (Hosts hosts = opened.get();
        ServerSocket server =
            new ServerSocket(0, 50, InetAddress.getByName(hosts.database().address()))) {
      assertThat(reaches(hosts.member(0), hosts.database(), server)).isTrue();

      hosts.cut(hosts.member(0), hosts.database());

      assertThat(reaches(hosts.member(0), hosts.database(), server)).isFalse();
      assertThat(reaches(hosts.member(1), hosts.database(), server)).isTrue();
      assertThat(reaches(hosts.instance(0), hosts.database(), server)).isTrue();

      hosts.heal();
      // An answer that is lost cuts a connection off as well.
      hosts.cut(hosts.database(), hosts.member(1));

      assertThat(reaches(hosts.member(0), hosts.database(), server)).isTrue();
      assertThat(reaches(hosts.member(1), hosts.database(), server)).isFalse();
    }
  }

  private static boolean reaches(Host from, Host to, ServerSocket server)
      throws IOException, InterruptedException {
    final Process process =
        new ProcessBuilder(
                from.command(
                    List.of(
                        "timeout",
                        "1",
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/" + to.address() + "/" + server.getLocalPort())))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() == 0;
  }

  @Test
  void aFullDiskTakesNothingUntilItIsFreed(@TempDir Path directory) throws Exception {
    final List<String> whyNot = new ArrayList<>();
    final Optional<LimitedDisk> mounted =
        LimitedDisk.mount(
            directory.resolve("image"), directory.resolve("disk"), DISK_BYTES, whyNot::add);
    assumeTrue(mounted.isPresent(), whyNot::toString);
    try (LimitedDisk disk = mounted.get()) {
      final Path file = directory.resolve("disk").resolve("file");

      disk.fill();

      assertThat(takes(file)).isFalse();

      disk.free();

      assertThat(takes(file)).isTrue();
    }
    assertThat(directory.resolve("image")).doesNotExist();
  }

  private static boolean takes(Path file) {
    try {
      Files.write(file, new byte[1 << 16]);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
