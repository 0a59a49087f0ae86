package io.tollgrid.node.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports on loopback that nobody listened on a moment ago.
 *
 * <p>They are drawn below the range from which operating systems number outgoing connections: a
 * port of that range may be in use again before its taker listens on it. Processes that draw at the
 * same time draw from different ports, unless their numbers are a multiple of 64 apart.
 */
public final class FreePorts {
  private static final int FIRST = 15_000;
  private static final int END = 32_000;
  private static final int MAX_DRAWS = 1_000;
  private static final int SHARES = 64;

  private static final int SHARE = (int) (ProcessHandle.current().pid() % SHARES);

  private FreePorts() {}

  /**
   * As many different ones.
   *
   * @throws LocalSystemException if so many could not be found
   */
  public static List<Integer> take(int count) {
    final Set<Integer> ports = new LinkedHashSet<>();
    for (int draws = 0; ports.size() < count; draws++) {
      if (draws == MAX_DRAWS) {
        throw new LocalSystemException("there are no " + count + " free ports on loopback", null);
      }
      final int port =
          ThreadLocalRandom.current().nextInt(FIRST / SHARES, END / SHARES) * SHARES + SHARE;
      if (isFree(port)) {
        ports.add(port);
      }
    }
    return new ArrayList<>(ports);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
