package io.tollgrid.verification.faults.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;

/** What a process holds: heap that is in use after a collection, threads, open files. */
public final class Vitals {
  /** Bytes of heap in use after the collection that was just made. */
  public static final String HEAP = "vitals.heap";

  /** Live threads. */
  public static final String THREADS = "vitals.threads";

  /** Open file descriptors, sockets among them. */
  public static final String FILES = "vitals.files";

  /** How many times it looked, so that a reader can tell a new look from the last one. */
  public static final String LOOKS = "vitals.looks";

  private static long looks;

  private Vitals() {}

  /** Collects garbage and looks. */
  public static synchronized Map<String, String> look() {
    looks++;
    System.gc();
    final long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : 0;
    return Map.of(
        HEAP, Long.toString(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()),
        THREADS, Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount()),
        FILES, Long.toString(files),
        LOOKS, Long.toString(looks));
  }
}
