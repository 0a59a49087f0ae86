package io.tollgrid.grid.wire;

import com.hazelcast.client.impl.ClientEngine;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientAddClusterViewListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxiesCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientFetchSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientLocalBackupListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientPingCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientStatisticsCodec;
import com.hazelcast.client.impl.protocol.codec.ClientTriggerPartitionAssignmentCodec;
import com.hazelcast.client.impl.protocol.codec.ExecutorServiceSubmitToMemberCodec;
import com.hazelcast.client.impl.protocol.codec.ExecutorServiceSubmitToPartitionCodec;
import com.hazelcast.client.impl.protocol.codec.MapEvictCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapSubmitToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.SqlCloseCodec;
import com.hazelcast.client.impl.protocol.codec.SqlExecuteCodec;
import com.hazelcast.client.impl.protocol.codec.SqlFetchCodec;
import com.hazelcast.client.impl.protocol.codec.TopicAddMessageListenerCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishCodec;
import com.hazelcast.client.impl.protocol.codec.TopicRemoveMessageListenerCodec;
import com.hazelcast.executor.impl.DistributedExecutorService;
import com.hazelcast.internal.nio.Bits;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.topic.impl.TopicService;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.GridSerialization;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a client may ask a member for: what an instance needs, by message, by name and by the type
 * of what it carries. Everything else is refused before it is deserialized (R45).
 *
 * <p>Hazelcast's community edition lets whoever knows the cluster's name do all it can do: write
 * any map, run SQL that reads the member's files, submit jobs, stop members. And an object in
 * Compact form names the class to be made of it, which no filter of Java deserialization sees; so
 * schemas are let in by name too.
 */
final class ClientGate {
  /** What each map's entries may be asked to do, by the wire name of the processor. */
  private static final Map<String, Set<String>> PROCESSORS =
      Map.of(
          GridNames.LEDGERS, Set.of("tollgrid.ledger-command", "tollgrid.recall-probe"),
          GridNames.USAGE_INBOX,
              Set.of("tollgrid.leave-usage", "tollgrid.ask-usage", "tollgrid.forget-usage"));

  private static final Map<String, Set<String>> TASKS =
      Map.of(
          GridNames.LEDGER_ROWS, Set.of("tollgrid.fetch-rows"),
          GridNames.POLICY_READS, Set.of("tollgrid.fetch-policies", "tollgrid.fetch-credentials"),
          GridNames.AUTHORITY_WRITES,
              Set.of("tollgrid.introduce-subject", "tollgrid.keep-denials"));

  /** Said by every client, about itself and the cluster. */
  private static final Set<Integer> BY_EVERYBODY =
      Set.of(
          ClientAuthenticationCodec.REQUEST_MESSAGE_TYPE,
          ClientAddClusterViewListenerCodec.REQUEST_MESSAGE_TYPE,
          ClientLocalBackupListenerCodec.REQUEST_MESSAGE_TYPE,
          ClientPingCodec.REQUEST_MESSAGE_TYPE,
          ClientStatisticsCodec.REQUEST_MESSAGE_TYPE,
          ClientFetchSchemaCodec.REQUEST_MESSAGE_TYPE,
          ClientTriggerPartitionAssignmentCodec.REQUEST_MESSAGE_TYPE,
          SqlFetchCodec.REQUEST_MESSAGE_TYPE,
          SqlCloseCodec.REQUEST_MESSAGE_TYPE);

  private static final Set<Integer> PLAIN_PARAMETERS =
      Set.of(
          SerializationConstants.CONSTANT_TYPE_STRING,
          SerializationConstants.CONSTANT_TYPE_INTEGER,
          SerializationConstants.CONSTANT_TYPE_LONG);

  private final LongFunction<@Nullable Schema> schemas;
  private final Set<InetAddress> unrestricted;

  /**
   * A gate.
   *
   * @param schemas the schemas this member knows, by id; must not block
   * @param unrestricted hosts whose clients may ask for everything
   */
  ClientGate(LongFunction<@Nullable Schema> schemas, Set<InetAddress> unrestricted) {
    this.schemas = schemas;
    this.unrestricted = unrestricted;
  }

  /** Hands a message on, or answers it with a refusal. A message that is no message throws. */
  void pass(ClientMessage message, ClientEngine engine) {
    final ServerConnection from = (ServerConnection) message.getConnection();
    final String refused = unrestricted.contains(from.getInetAddress()) ? null : refusal(message);
    if (refused == null) {
      engine.accept(message);
      return;
    }
    final ClientMessage answer =
        engine.getExceptionFactory().createExceptionMessage(new SecurityException(refused));
    answer.setCorrelationId(message.getCorrelationId());
    from.write(answer);
  }

  /** Why a message is refused; null if it is not. */
  private @Nullable String refusal(ClientMessage message) {
    final int type = message.getMessageType();
    return switch (type) {
      case ClientCreateProxyCodec.REQUEST_MESSAGE_TYPE -> {
        final var named = ClientCreateProxyCodec.decodeRequest(message);
        yield ours(named.serviceName, named.name);
      }
      case ClientCreateProxiesCodec.REQUEST_MESSAGE_TYPE ->
          first(
              ClientCreateProxiesCodec.decodeRequest(message).stream()
                  .map(named -> ours(named.getValue(), named.getKey()))
                  .toList());
      case ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE ->
          known(List.of(ClientSendSchemaCodec.decodeRequest(message)));
      case ClientSendAllSchemasCodec.REQUEST_MESSAGE_TYPE ->
          known(ClientSendAllSchemasCodec.decodeRequest(message));
      case MapSubmitToKeyCodec.REQUEST_MESSAGE_TYPE -> {
        final var asked = MapSubmitToKeyCodec.decodeRequest(message);
        yield onEntry(asked.name, asked.key, asked.entryProcessor);
      }
      case MapExecuteOnKeyCodec.REQUEST_MESSAGE_TYPE -> {
        final var asked = MapExecuteOnKeyCodec.decodeRequest(message);
        yield onEntry(asked.name, asked.key, asked.entryProcessor);
      }
      case MapEvictCodec.REQUEST_MESSAGE_TYPE -> {
        final var asked = MapEvictCodec.decodeRequest(message);
        yield unless(
            asked.name.equals(GridNames.LEDGERS) && isText(asked.key),
            "clients evict entries of ledgers alone");
      }
      case ExecutorServiceSubmitToPartitionCodec.REQUEST_MESSAGE_TYPE -> {
        final var asked = ExecutorServiceSubmitToPartitionCodec.decodeRequest(message);
        yield carried(TASKS, asked.name, asked.callable);
      }
      case ExecutorServiceSubmitToMemberCodec.REQUEST_MESSAGE_TYPE -> {
        final var asked = ExecutorServiceSubmitToMemberCodec.decodeRequest(message);
        yield carried(TASKS, asked.name, asked.callable);
      }
      case TopicPublishCodec.REQUEST_MESSAGE_TYPE -> {
        final var word = TopicPublishCodec.decodeRequest(message);
        yield unless(
            isChanges(word.name)
                && typeOf(word.message) == SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY,
            "word of changes is bytes on " + GridNames.CHANGES);
      }
      case TopicAddMessageListenerCodec.REQUEST_MESSAGE_TYPE ->
          changes(TopicAddMessageListenerCodec.decodeRequest(message).name);
      case TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE ->
          changes(TopicRemoveMessageListenerCodec.decodeRequest(message).name);
      case SqlExecuteCodec.REQUEST_MESSAGE_TYPE -> {
        final var asked = SqlExecuteCodec.decodeRequest(message);
        yield unless(
            LedgerQuestion.is(asked.sql)
                && asked.parameters.stream()
                    .map(ClientGate::typeOf)
                    .allMatch(PLAIN_PARAMETERS::contains),
            "SQL of clients is one SELECT over " + GridNames.LEDGERS);
      }
      default -> unless(BY_EVERYBODY.contains(type), "clients do not send such messages");
    };
  }

  private static @Nullable String unless(boolean allowed, String refusal) {
    return allowed ? null : refusal;
  }

  private static @Nullable String ours(String service, String name) {
    final boolean ours =
        switch (service) {
          case MapService.SERVICE_NAME -> PROCESSORS.containsKey(name);
          case DistributedExecutorService.SERVICE_NAME -> TASKS.containsKey(name);
          case TopicService.SERVICE_NAME -> isChanges(name);
          default -> false;
        };
    return unless(ours, "nothing of clients is called so");
  }

  private static @Nullable String known(Collection<Schema> schemas) {
    return first(
        schemas.stream()
            .map(Schema::getTypeName)
            .map(
                name ->
                    unless(
                        GridSerialization.TYPE_NAMES.contains(name), "nothing here has this form"))
            .toList());
  }

  private @Nullable String onEntry(String map, @Nullable Data key, Data processor) {
    return isText(key) ? carried(PROCESSORS, map, processor) : "the keys of " + map + " are texts";
  }

  /** Refuses what is not in Compact form, or not of a type that may be sent there. */
  private @Nullable String carried(Map<String, Set<String>> allowed, String name, Data object) {
    final Set<String> types = allowed.getOrDefault(name, Set.of());
    final byte[] bytes = object.toByteArray();
    if (typeOf(object) == SerializationConstants.TYPE_COMPACT
        && bytes.length >= HeapData.DATA_OFFSET + Long.BYTES) {
      final Schema schema = schemas.apply(Bits.readLongB(bytes, HeapData.DATA_OFFSET));
      if (schema != null && types.contains(schema.getTypeName())) {
        return null;
      }
    }
    return "clients do not send this to " + name;
  }

  private static @Nullable String changes(String topic) {
    return unless(isChanges(topic), "clients listen to " + GridNames.CHANGES + " alone");
  }

  private static boolean isChanges(String topic) {
    return topic.equals(GridNames.CHANGES);
  }

  private static boolean isText(@Nullable Data data) {
    return typeOf(data) == SerializationConstants.CONSTANT_TYPE_STRING;
  }

  /** The type of a value; that of nothing for what is too short to have one. */
  private static int typeOf(@Nullable Data data) {
    return data == null || data.totalSize() < HeapData.HEAP_DATA_OVERHEAD
        ? SerializationConstants.CONSTANT_TYPE_NULL
        : data.getType();
  }

  private static @Nullable String first(List<@Nullable String> refusals) {
    for (final String refusal : refusals) {
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }
}
