package io.tollgrid.grid.wire;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.tcp.PacketDecoder;
import java.util.function.Consumer;

/**
 * Reads what members send, and refuses a packet that claims to be larger than any of theirs is
 * before memory is set aside for it: an error for want of memory would end the whole member.
 */
final class BoundedPackets extends PacketDecoder {
  /** What a member's largest packet is well below: the usage or ledgers of one partition. */
  static final int MAX_BYTES = 64 << 20;

  /** Before its handshake; that is some hundred bytes. */
  static final int MAX_STRANGER_BYTES = 64 << 10;

  private static final int HEADER_BYTES = 11;
  private static final int SIZE_AT = 7;

  /** Bytes of the packet under way that have not come yet. */
  private int missing;

  BoundedPackets(ServerConnection connection, Consumer<Packet> dispatcher) {
    super(connection, dispatcher);
  }

  @Override
  public HandlerStatus onRead() throws Exception {
    /*
     * The decoder takes everything but a header that is not complete, which then is where the next bytes are added; so
     * it and this scan always stand at the same place.
     */
    int at = 0;
    while (at < src.position()) {
      final int here = src.position() - at;
      if (missing > 0) {
        final int taken = Math.min(missing, here);
        missing -= taken;
        at += taken;
      } else if (here < HEADER_BYTES) {
        break;
      } else {
        missing = admissible(src.getInt(at + SIZE_AT));
        at += HEADER_BYTES;
      }
    }
    return super.onRead();
  }

  private int admissible(int bytes) {
    final int bound = Doorway.isKnown(connection) ? MAX_BYTES : MAX_STRANGER_BYTES;
    if (bytes < 0 || bytes > bound) {
      throw new IllegalArgumentException(
          "a packet claims to have " + bytes + " bytes; " + bound + " are allowed");
    }
    return bytes;
  }
}
