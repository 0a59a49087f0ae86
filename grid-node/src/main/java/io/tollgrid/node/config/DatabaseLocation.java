package io.tollgrid.node.config;

import java.nio.file.Path;
import java.util.Optional;

/** Where PostgreSQL is. */
public sealed interface DatabaseLocation {
  /**
   * A server this node starts and stops itself.
   *
   * @param dataDir the directory it owns
   * @param port its loopback port; 0 takes a free one
   */
  record Embedded(Path dataDir, int port) implements DatabaseLocation {}

  /**
   * A server that runs already.
   *
   * @param url JDBC URL without credentials
   * @param user the role that owns the schema
   * @param passwordFile a file with its password; empty if the server asks for none
   */
  record Server(String url, String user, Optional<Path> passwordFile) implements DatabaseLocation {}
}
