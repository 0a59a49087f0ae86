package io.tollgrid.node.postgres;

import io.tollgrid.mapstore.database.PostgresAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/** A process that starts an embedded server, leaves a session open on it and waits to be killed. */
final class AbandonedOwner {
  private AbandonedOwner() {}

  public static void main(String[] args) throws Exception {
    final PostgresAddress address = EmbeddedDatabase.start(Path.of(args[0]), 0).address();
    try (Connection connection =
            DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (n int)");
      statement.execute("INSERT INTO kept VALUES (7)");
      System.out.println("kept");
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }
}
