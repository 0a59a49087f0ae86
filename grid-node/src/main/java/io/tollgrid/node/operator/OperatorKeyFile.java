package io.tollgrid.node.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tollgrid.client.config.ConfigException;
import io.tollgrid.grid.OperatorKey;
import io.tollgrid.node.postgres.OwnerOnly;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator key read from its file, and what tells it from another without giving it away.
 *
 * @param key signs and verifies operator commands
 * @param fingerprint the first 64 bits of a hash of the key, in hex
 */
public record OperatorKeyFile(OperatorKey key, String fingerprint) {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorKeyFile.class);
  private static final int FINGERPRINT_BYTES = 8;
  private static final byte[] PURPOSE = "tollgrid operator key fingerprint".getBytes(UTF_8);

  /**
   * Reads the key, making it if there is no file. All members of a cluster need the same file.
   *
   * @throws ConfigException if the file holds anything but one key
   */
  public static OperatorKeyFile readOrCreate(Path file) {
    try {
      final Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        OwnerOnly.directory(directory);
      }
      final byte[] random = new byte[OperatorKey.BYTES];
      new SecureRandom().nextBytes(random);
      if (OwnerOnly.create(file, HexFormat.of().formatHex(random))) {
        LOG.info("a new operator key was made in {}", file);
      } else {
        warnIfOthersCanRead(file);
      }
      Arrays.fill(random, (byte) 0);
      return read(file);
    } catch (IOException e) {
      throw new ConfigException(
          "operator.keyFile: cannot use " + file + ": " + e.getClass().getSimpleName(), e);
    }
  }

  private static OperatorKeyFile read(Path file) throws IOException {
    final byte[] bytes;
    try {
      bytes = HexFormat.of().parseHex(Files.readString(file).strip());
    } catch (IllegalArgumentException e) {
      throw notAKey(file);
    }
    if (bytes.length != OperatorKey.BYTES) {
      throw notAKey(file);
    }
    final OperatorKeyFile loaded = new OperatorKeyFile(new OperatorKey(bytes), fingerprint(bytes));
    Arrays.fill(bytes, (byte) 0);
    return loaded;
  }

  /** Says nothing of the content: it may be a key with a typing error. */
  private static ConfigException notAKey(Path file) {
    return new ConfigException(
        "operator.keyFile: "
            + file
            + " must hold one key of "
            + 2 * OperatorKey.BYTES
            + " hexadecimal digits and nothing else");
  }

  private static void warnIfOthersCanRead(Path file) throws IOException {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.GROUP_READ)) {
      LOG.warn("{} can be read by others; whoever reads it can give operator commands", file);
    }
  }

  private static String fingerprint(byte[] key) {
    try {
      final MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(PURPOSE);
      return HexFormat.of().formatHex(digest.digest(key), 0, FINGERPRINT_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
