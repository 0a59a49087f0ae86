package io.tollgrid.mapstore.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP connection to a server that a test can cut and join again: cut, everything open breaks and
 * nothing new is accepted. Thread-safe.
 */
public final class Cable implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Cable.class);
  private static final int BUFFER_BYTES = 8_192;

  private final InetSocketAddress server;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private ServerSocket listener;

  /** Joined to {@code host:port}. */
  public Cable(String host, int serverPort) {
    server = new InetSocketAddress(host, serverPort);
    listener = listen(0);
    port = listener.getLocalPort();
  }

  /** The local port that leads to the server. */
  public int port() {
    return port;
  }

  /** Breaks everything that is open and refuses what is new. */
  public synchronized void cut() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sockets.forEach(Cable::close);
    sockets.clear();
  }

  /** Accepts again. */
  public synchronized void join() {
    listener = listen(port);
  }

  @Override
  public void close() {
    cut();
  }

  private ServerSocket listen(int at) {
    try {
      final ServerSocket accepting = new ServerSocket();
      accepting.setReuseAddress(true);
      accepting.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
      start(() -> accept(accepting));
      return accepting;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket accepting) {
    while (!accepting.isClosed()) {
      try {
        final Socket near = accepting.accept();
        final Socket far = new Socket();
        far.connect(server);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        sockets.add(near);
        sockets.add(far);
        start(() -> copy(near, far));
        start(() -> copy(far, near));
      } catch (IOException closedOrRefused) {
        // The caller sees its connection end, which is what a cut is for.
        LOG.debug("a connection was not made", closedOrRefused);
      }
    }
  }

  private void copy(Socket from, Socket to) {
    final byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      final InputStream in = from.getInputStream();
      final OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException endedAtOneSide) {
      LOG.debug("a connection ended", endedAtOneSide);
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void start(Runnable work) {
    final Thread thread = new Thread(work, "cable");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
