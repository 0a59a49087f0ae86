package io.tollgrid.verification.faults.host;

import java.nio.file.Path;
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
   * Hosts of their own for members and instances, and a disk with so much room and no more; this
   * machine as it is, if this process may not have them.
   *
   * @param directory where the disk's image is kept
   * @param mount the directory, not there yet, that the disk is mounted on
   */
  public static Site open(int members, int instances, Path directory, Path mount) {
    final @Nullable Hosts hosts = NamespaceHosts.open(members, instances).orElse(null);
    if (hosts == null) {
      return LOCAL;
    }
    boolean good = false;
    try {
      final LimitedDisk disk =
          LimitedDisk.mount(directory.resolve("disk.image"), mount, DISK_BYTES);
      good = true;
      return new Site(hosts, disk);
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
