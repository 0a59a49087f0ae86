package io.tollgrid.verification.faults.host;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A file system of its own with so much room and no more, mounted on a directory, that can be
 * filled and freed again. Needs root. Used by one thread; another one may close it.
 */
public final class LimitedDisk implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;

  private final Path image;
  private final Path mount;
  private boolean mounted;

  private LimitedDisk(Path image, Path mount) {
    this.image = image;
    this.mount = mount;
  }

  /**
   * Mounts one on a directory, which is created; empty if this machine does not let this process do
   * that.
   *
   * @param image the file that will hold it, taken as it is filled
   * @param whyNot told why there is none
   */
  public static Optional<LimitedDisk> mount(
      Path image, Path mount, long bytes, Consumer<String> whyNot) {
    final LimitedDisk disk = new LimitedDisk(image, mount);
    boolean good = false;
    try {
      Files.createDirectories(mount);
      Tool.run(List.of("truncate", "-s", Long.toString(bytes), image.toString()));
      Tool.run(List.of("mkfs.ext4", "-q", "-m", "0", image.toString()));
      Tool.run(List.of("mount", "-o", "loop", image.toString(), mount.toString()));
      disk.mounted = true;
      // Whoever gets the directory expects it to be empty.
      Files.delete(mount.resolve("lost+found"));
      good = true;
      return Optional.of(disk);
    } catch (Tool.ToolException e) {
      whyNot.accept(String.valueOf(e.getMessage()));
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!good) {
        disk.close();
      }
    }
  }

  /** Takes all room that is left. */
  public void fill() {
    final byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      for (int bytes = CHUNK_BYTES; bytes > 0; bytes /= 2) {
        writeAll(out, chunk, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the disk could not be filled", e);
    }
  }

  /** Until a chunk of the size finds no room. */
  private static void writeAll(OutputStream out, byte[] chunk, int bytes) {
    try {
      while (true) {
        out.write(chunk, 0, bytes);
      }
    } catch (IOException e) {
      return;
    }
  }

  /** Gives the room back. */
  public void free() {
    try {
      Files.deleteIfExists(ballast());
    } catch (IOException e) {
      throw new UncheckedIOException("the disk could not be freed", e);
    }
  }

  private Path ballast() {
    return mount.resolve("ballast");
  }

  @Override
  public synchronized void close() {
    if (mounted) {
      Tool.run(List.of("umount", "-l", mount.toString()));
      mounted = false;
    }
    try {
      Files.deleteIfExists(image);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
