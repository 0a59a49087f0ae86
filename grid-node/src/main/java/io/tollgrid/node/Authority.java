package io.tollgrid.node;

import io.tollgrid.client.config.ConfigException;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.config.DatabaseLocation;
import io.tollgrid.node.postgres.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The PostgreSQL a node works on: its own, or one that runs already. Closing it stops the former
 * and does nothing to the latter.
 */
public final class Authority implements AutoCloseable {
  private final PostgresAddress address;
  private final Optional<EmbeddedDatabase> embedded;

  private Authority(PostgresAddress address, Optional<EmbeddedDatabase> embedded) {
    this.address = address;
    this.embedded = embedded;
  }

  /**
   * Opens it, starting a server if it is embedded. Whether a server of somebody else's answers is
   * not asked here.
   *
   * @throws ConfigException if the password file cannot be read
   * @throws io.tollgrid.node.postgres.DataDirectoryException if the embedded server does not start
   */
  public static Authority open(DatabaseLocation location) {
    if (location instanceof DatabaseLocation.Embedded local) {
      final EmbeddedDatabase started = EmbeddedDatabase.start(local.dataDir(), local.port());
      return new Authority(started.address(), Optional.of(started));
    }
    final DatabaseLocation.Server server = (DatabaseLocation.Server) location;
    final String password = server.passwordFile().map(Authority::read).orElse("");
    return new Authority(
        new PostgresAddress(server.url(), server.user(), password), Optional.empty());
  }

  /**
   * Opens it for reading only. An embedded server that a running node owns is used as it runs; one
   * that nobody runs is started, and stopped at the end.
   */
  public static Authority openToRead(DatabaseLocation location) {
    if (location instanceof DatabaseLocation.Embedded local) {
      final Optional<PostgresAddress> running = EmbeddedDatabase.runningOn(local.dataDir());
      if (running.isPresent()) {
        return new Authority(running.get(), Optional.empty());
      }
    }
    return open(location);
  }

  private static String read(Path passwordFile) {
    try {
      return Files.readString(passwordFile).strip();
    } catch (IOException e) {
      throw new ConfigException(
          "database.passwordFile: cannot read "
              + passwordFile
              + ": "
              + e.getClass().getSimpleName(),
          e);
    }
  }

  /** How to reach it. */
  public PostgresAddress address() {
    return address;
  }

  @Override
  public void close() {
    embedded.ifPresent(EmbeddedDatabase::close);
  }
}
