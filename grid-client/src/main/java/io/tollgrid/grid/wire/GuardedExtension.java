package io.tollgrid.grid.wire;

import com.hazelcast.client.impl.ClientEndpointManager;
import com.hazelcast.client.impl.ClientEngine;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.ChannelInitializerFunction;
import com.hazelcast.internal.server.tcp.TcpServerContext;
import com.hazelcast.internal.server.tcp.UnifiedChannelInitializer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Puts the doorway, the gate and the bounds into the pipeline of each accepted connection. */
final class GuardedExtension extends DefaultNodeExtension {
  private final Doorway doorway;
  private final ClientGate gate;

  GuardedExtension(Node node, Set<InetAddress> unrestricted) {
    super(node);
    this.doorway =
        new Doorway(
            (task, delay) ->
                node.getNodeEngine()
                    .getExecutionService()
                    .schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
    this.gate = new ClientGate(schema -> node.getSchemaService().get(schema), unrestricted);
  }

  @Override
  public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
      ServerContext serverContext) {
    final UnifiedChannelInitializer initializer =
        new UnifiedChannelInitializer(new GuardedServer());
    final ChannelInitializer guarded = channel -> initialize(initializer, channel);
    final ChannelInitializerFunction function =
        new ChannelInitializerFunction(serverContext, node.getConfig()) {
          @Override
          protected ChannelInitializer provideUnifiedChannelInitializer() {
            return guarded;
          }
        };
    function.init();
    return function;
  }

  private void initialize(ChannelInitializer initializer, Channel channel) throws Exception {
    initializer.initChannel(channel);
    if (!channel.isClientMode()
        && channel.attributeMap().get(ServerConnection.class)
            instanceof ServerConnection accepted) {
      channel.addCloseListener(closed -> doorway.left(accepted));
      doorway.entered(accepted);
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public InboundHandler[] createInboundHandlers(
      EndpointQualifier qualifier, ServerConnection connection, ServerContext serverContext) {
    return new InboundHandler[] {
      new BoundedPackets(connection, node.getNodeEngine().getPacketDispatcher())
    };
  }

  /** Hazelcast's own, whose messages pass the gate before they reach the engine. */
  private final class GuardedServer extends TcpServerContext {
    GuardedServer() {
      super(node, node.getNodeEngine());
    }

    @Override
    public ClientEngine getClientEngine() {
      return throughGate(super.getClientEngine());
    }
  }

  /*
   * The decoder of client messages asks two things of an engine: who takes the messages, and which clients it trusts to
   * send messages of any size. Nobody is.
   */
  private ClientEngine throughGate(ClientEngine engine) {
    return proxy(
        ClientEngine.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "accept" -> {
                gate.pass((ClientMessage) arguments[0], engine);
                yield null;
              }
              case "getEndpointManager" -> TRUSTS_NOBODY;
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private static final ClientEndpointManager TRUSTS_NOBODY =
      proxy(
          ClientEndpointManager.class,
          (self, method, arguments) -> {
            if (method.getName().equals("getEndpoint")) {
              return null;
            }
            throw new UnsupportedOperationException(method.toString());
          });

  private static <T> T proxy(Class<T> type, InvocationHandler behaviour) {
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, behaviour));
  }
}
