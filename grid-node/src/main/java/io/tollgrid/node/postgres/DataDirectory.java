package io.tollgrid.node.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A data directory that this process owns until it is closed.
 *
 * <p>Ownership is a file lock: it ends with the process however the process ends, and it is held
 * across containers that share a volume of one machine.
 */
final class DataDirectory implements AutoCloseable {
  /** Where PostgreSQL keeps its files, in the directory. */
  static final String POSTGRES = "postgres";

  private static final String PASSWORD_FILE = "postgres.password";
  private static final String LOCK_FILE = "tollgrid.lock";
  private static final String READY_FILE = "postgres.ready";
  private static final int PASSWORD_BYTES = 32;
  private static final int MAX_COMPLAINTS_BYTES = 1 << 20;

  private final Path root;
  private final FileChannel channel;
  private final FileLock lock;

  private DataDirectory(Path root, FileChannel channel, FileLock lock) {
    this.root = root;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Takes a directory, creating it if there is none.
   *
   * @throws DataDirectoryException if another process, or this one, has it already
   */
  static DataDirectory take(Path root) {
    try {
      OwnerOnly.directory(root);
      return lock(root);
    } catch (IOException e) {
      throw new DataDirectoryException("cannot use " + root + ": " + reason(e), e);
    }
  }

  /** Whether some process owns a directory now; one that is not there is owned by nobody. */
  static boolean isTaken(Path root) {
    if (!Files.exists(root.resolve(LOCK_FILE))) {
      return false;
    }
    try {
      lock(root).close();
      return false;
    } catch (DataDirectoryException e) {
      return true;
    } catch (IOException e) {
      throw new DataDirectoryException("cannot use " + root + ": " + reason(e), e);
    }
  }

  /** The password of the embedded server in a directory that somebody else owns. */
  static String passwordIn(Path root) {
    try {
      return Files.readString(root.resolve(PASSWORD_FILE)).strip();
    } catch (IOException e) {
      throw new DataDirectoryException(
          "cannot read " + root.resolve(PASSWORD_FILE) + ": " + reason(e), e);
    }
  }

  private static DataDirectory lock(Path root) throws IOException {
    final FileChannel channel =
        FileChannel.open(
            root.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = null;
    try {
      lock = tryLock(channel);
      if (lock == null) {
        throw new DataDirectoryException(
            root + " is in use by another Tollgrid process; stop it, or name another directory");
      }
      return new DataDirectory(root, channel, lock);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  /** The lock, or null if any process holds it; this one counts too. */
  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Where PostgreSQL keeps its files. */
  Path postgres() {
    return root.resolve(POSTGRES);
  }

  /** Where PostgreSQL and its tools write what they have to say. */
  Path log() {
    return root.resolve("postgres.log");
  }

  /** The file with the password of the embedded server's role. */
  Path passwordFile() {
    return root.resolve(PASSWORD_FILE);
  }

  /** The password of the embedded server's role; made when it is asked for the first time. */
  String password() {
    try {
      final byte[] random = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(random);
      OwnerOnly.create(passwordFile(), HexFormat.of().formatHex(random));
      return passwordIn(root);
    } catch (IOException e) {
      throw new DataDirectoryException("cannot use " + passwordFile() + ": " + reason(e), e);
    }
  }

  /** Whether a first start went through, so that the files are a whole database. */
  boolean isReady() {
    return Files.exists(root.resolve(READY_FILE));
  }

  /** Notes that a first start went through. */
  void markReady() {
    try {
      OwnerOnly.create(root.resolve(READY_FILE), "");
    } catch (IOException e) {
      throw new DataDirectoryException("cannot write to " + root + ": " + reason(e), e);
    }
  }

  /**
   * Refuses files that the server about to be started cannot open.
   *
   * @param major the major version of the server
   */
  void checkFiles(String major) {
    try {
      if (!Files.isDirectory(postgres()) || isEmpty(postgres())) {
        return;
      }
      final Path versionFile = postgres().resolve("PG_VERSION");
      if (!isReady() || !Files.exists(versionFile)) {
        throw new DataDirectoryException(
            postgres()
                + " is not a whole database: its first start did not finish; remove it and start"
                + " again");
      }
      final String written = Files.readString(versionFile).strip();
      if (!written.equals(major)) {
        throw new DataDirectoryException(
            postgres()
                + " was written by PostgreSQL "
                + written
                + ", and this build brings "
                + major
                + "; dump it with "
                + written
                + " and load it into a new directory");
      }
    } catch (IOException e) {
      throw new DataDirectoryException("cannot read " + postgres() + ": " + reason(e), e);
    }
  }

  /** How long the log is now, in bytes. */
  long logBytes() {
    try {
      return Files.exists(log()) ? Files.size(log()) : 0;
    } catch (IOException e) {
      throw new DataDirectoryException("cannot read " + log() + ": " + reason(e), e);
    }
  }

  /** PostgreSQL's last complaint beyond a length of the log, for a message. */
  Optional<String> complaintSince(long bytes) {
    try (SeekableByteChannel channel = Files.newByteChannel(log())) {
      channel.position(bytes);
      final String added =
          new String(Channels.newInputStream(channel).readNBytes(MAX_COMPLAINTS_BYTES), UTF_8);
      return added
          .lines()
          .filter(line -> line.contains("FATAL:") || line.contains("PANIC:"))
          .reduce((first, second) -> second)
          .map(line -> line + " (" + log() + ")");
    } catch (IOException e) {
      return Optional.of("and its log " + log() + " cannot be read: " + reason(e));
    }
  }

  /** Gives the directory up. */
  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new DataDirectoryException("cannot release " + root + ": " + reason(e), e);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }
}
