package io.tollgrid.verification.faults.host;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a run takes place: its hosts, and the disk of its server. It is left when nothing runs
 * there any more.
 *
 * @param hosts the hosts
 * @param disk what PostgreSQL writes to, or null if it cannot be filled
 */
public record Site(Hosts hosts, @Nullable LimitedDisk disk) implements AutoCloseable {
  /** Everything on this machine, as it is. */
  public static final Site LOCAL = new Site(Hosts.LOCAL, null);

  private static final long DISK_BYTES = 3L << 30;

  /**
   * Hosts of their own for members and instances, and a disk with so much room and no more; as much
   * of it as this machine lets this process have.
   *
   * @param directory where the disk's image is kept
   * @param mount the directory that the disk is mounted on
   * @param whyNot told what there is not, and why
   */
  public static Site open(
      int members, int instances, Path directory, Path mount, Consumer<String> whyNot) {
    final Hosts hosts =
        NamespaceHosts.open(
                members,
                instances,
                why -> whyNot.accept("nobody has a host of its own or is cut off: " + why))
            .orElse(Hosts.LOCAL);
    boolean good = false;
    try {
      final Optional<LimitedDisk> disk =
          LimitedDisk.mount(
              directory.resolve("disk.image"),
              mount,
              DISK_BYTES,
              why -> whyNot.accept("no disk is filled: " + why));
      good = true;
      return new Site(hosts, disk.orElse(null));
    } finally {
      if (!good) {
        hosts.close();
      }
    }
  }

  @Override
  public void close() {
    if (disk != null) {
      disk.close();
    }
    hosts.close();
  }
}
