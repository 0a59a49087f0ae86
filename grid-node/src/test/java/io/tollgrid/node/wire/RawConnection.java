package io.tollgrid.node.wire;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageWriter;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** A socket to a listener, and bytes. */
final class RawConnection implements AutoCloseable {
  private static final int READ_MILLIS = 20_000;

  private final Socket socket = new Socket();

  RawConnection(int port) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), READ_MILLIS);
    socket.setSoTimeout(READ_MILLIS);
  }

  /** Sends bytes; that the other side is gone by then is as good as any answer. */
  RawConnection send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      return this;
    }
    return this;
  }

  RawConnection send(String text) {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether the other side closes the connection; what it says before is read and forgotten. */
  boolean isClosed() {
    final byte[] buffer = new byte[8_192];
    try {
      while (socket.getInputStream().read(buffer) >= 0) {
        // Until the end.
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Becomes a client of a cluster, as far as its cluster asks who it is. */
  RawConnection authenticate(String cluster) throws IOException {
    send("CP2");
    send(
        bytes(
            ClientAuthenticationCodec.encodeRequest(
                cluster,
                null,
                null,
                UUID.randomUUID(),
                "JVM",
                (byte) 1,
                "5.3.8",
                "raw",
                List.of())));
    if (socket.getInputStream().read() < 0) {
      throw new IOException("the member closed the connection of a client that authenticates");
    }
    return this;
  }

  static byte[] bytes(ClientMessage message) {
    final ByteBuffer buffer = ByteBuffer.allocate(message.getFrameLength() + 4_096);
    if (!new ClientMessageWriter().writeTo(buffer, message)) {
      throw new IllegalStateException("a message of a test is larger than its buffer");
    }
    return java.util.Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** The first six bytes of a client's frame that claims to be so long. */
  static byte[] frameOf(int bytes) {
    return ByteBuffer.allocate(6)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes)
        .putShort((short) 0xC000)
        .array();
  }

  /** The header of a member's packet that claims to be so long. */
  static byte[] packetOf(int bytes) {
    return ByteBuffer.allocate(11).put((byte) 4).putChar((char) 0).putInt(-1).putInt(bytes).array();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
