package io.tollgrid.node.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** Files and directories that only their owner may read, from the moment they exist. */
public final class OwnerOnly {
  private OwnerOnly() {}

  /** Creates a directory and its parents; those that exist are left as they are. */
  public static void directory(Path directory) throws IOException {
    Files.createDirectories(directory, attributes("rwx------"));
  }

  /**
   * Creates a file with a content, durably. It appears whole: whoever sees the name reads all of
   * it, also when several processes create it at once.
   *
   * @return false if the file existed; it is then untouched
   */
  public static boolean create(Path file, String content) throws IOException {
    if (Files.exists(file)) {
      return false;
    }
    final Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".new");
    try {
      write(draft, content);
      give(draft, file);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void write(Path file, String content) throws IOException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DSYNC),
            attributes("rw-------"))) {
      final ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  /**
   * Gives what is written its name, which must be free; a link is atomic, where there are links.
   */
  private static void give(Path draft, Path file) throws IOException {
    try {
      Files.createLink(file, draft);
    } catch (UnsupportedOperationException e) {
      Files.move(draft, file);
    }
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
