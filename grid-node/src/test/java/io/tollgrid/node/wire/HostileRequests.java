package io.tollgrid.node.wire;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ExecutorServiceSubmitToPartitionCodec;
import com.hazelcast.client.impl.protocol.codec.MCChangeClusterStateCodec;
import com.hazelcast.client.impl.protocol.codec.MCResetCPSubsystemCodec;
import com.hazelcast.client.impl.protocol.codec.MCRunConsoleCommandCodec;
import com.hazelcast.client.impl.protocol.codec.MCRunScriptCodec;
import com.hazelcast.client.impl.protocol.codec.MCShutdownMemberCodec;
import com.hazelcast.client.impl.protocol.codec.MapSubmitToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sinks;
import com.hazelcast.jet.pipeline.Sources;
import com.hazelcast.map.IMap;
import com.hazelcast.map.MapInterceptor;
import com.hazelcast.query.Predicates;
import io.tollgrid.grid.GridNames;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a grid client that is not an instance may try, by name; each of it must be refused. */
final class HostileRequests {
  private static final int COMPACT = -55;
  private static final List<Integer> OTHER_FORMS = List.of(-100, -2, -1, -56, -57, 0, 7, 4_711);

  private final HazelcastInstance client;
  private final String key;
  private final Path secrets;
  private final Map<String, Runnable> requests = new LinkedHashMap<>();

  /**
   * All of them.
   *
   * @param key of an entry that exists
   * @param secrets a directory on the member with a file "operator.key"
   * @param commandSchema of the form of ledger commands
   */
  static Map<String, Runnable> of(
      HazelcastInstance client, String key, Path secrets, long commandSchema, Random random) {
    final HostileRequests all = new HostileRequests(client, key, secrets);
    all.maps();
    all.otherStructures();
    all.sql();
    all.jobs();
    all.management();
    all.objects(commandSchema, random);
    return all.requests;
  }

  private HostileRequests(HazelcastInstance client, String key, Path secrets) {
    this.client = client;
    this.key = key;
    this.secrets = secrets;
  }

  private void maps() {
    final Map<String, Consumer<IMap<String, Object>>> operations = new LinkedHashMap<>();
    operations.put("get", map -> map.get(key));
    operations.put("put", map -> map.put(key, "x"));
    operations.put("put with a time to live", map -> map.put(key, "x", 1, TimeUnit.SECONDS));
    operations.put("putTransient", map -> map.putTransient(key, "x", 0, TimeUnit.SECONDS));
    operations.put("putIfAbsent", map -> map.putIfAbsent(key, "x"));
    operations.put("tryPut", map -> map.tryPut(key, "x", 1, TimeUnit.SECONDS));
    operations.put("putAll", map -> map.putAll(Map.of(key, "x")));
    operations.put("set", map -> map.set(key, "x"));
    operations.put("setTtl", map -> map.setTtl(key, 1, TimeUnit.SECONDS));
    operations.put("replace", map -> map.replace(key, "x"));
    operations.put("delete", map -> map.delete(key));
    operations.put("remove", map -> map.remove(key));
    operations.put("removeAll", map -> map.removeAll(Predicates.alwaysTrue()));
    operations.put("evictAll", IMap::evictAll);
    operations.put("clear", IMap::clear);
    operations.put("flush", IMap::flush);
    operations.put("lock", map -> map.lock(key, 1, TimeUnit.MINUTES));
    operations.put("forceUnlock", map -> map.forceUnlock(key));
    operations.put("loadAll", map -> map.loadAll(true));
    operations.put("loadAll of keys", map -> map.loadAll(Set.of(key), true));
    operations.put("keySet", map -> Objects.requireNonNull(map.keySet()));
    operations.put("values", map -> Objects.requireNonNull(map.values()));
    operations.put("addInterceptor", map -> map.addInterceptor(new Interceptor()));
    operations.put(
        "addEntryListener",
        map ->
            map.addEntryListener(
                (com.hazelcast.map.listener.EntryAddedListener<String, Object>) e -> {}, true));
    operations.put("addIndex", map -> map.addIndex(com.hazelcast.config.IndexType.HASH, "status"));
    operations.put("executeOnKey", map -> map.executeOnKey(key, new HostileTask.Processor()));
    operations.put(
        "submitToKey",
        map -> map.submitToKey(key, new HostileTask.Processor()).toCompletableFuture().join());
    operations.put(
        "executeOnKeys", map -> map.executeOnKeys(Set.of(key), new HostileTask.Processor()));
    operations.put("executeOnEntries", map -> map.executeOnEntries(new HostileTask.Processor()));
    for (final String name : List.of(GridNames.LEDGERS, GridNames.USAGE_INBOX)) {
      operations.forEach(
          (what, operation) ->
              requests.put(what + " on " + name, () -> operation.accept(client.getMap(name))));
    }
    requests.put("evict on usage-inbox", () -> client.getMap(GridNames.USAGE_INBOX).evict(key));
    for (final String name :
        List.of("snapshots", "keys", "other", "__jet.records", "__sql.catalog", "ledgers2")) {
      requests.put("put on " + name, () -> client.getMap(name).put(key, "x"));
    }
  }

  private void otherStructures() {
    requests.put("a queue", () -> client.getQueue("q").offer("x"));
    requests.put("a list", () -> client.getList("l").add("x"));
    requests.put("a set", () -> client.getSet("s").add("x"));
    requests.put("a multimap", () -> client.getMultiMap("m").put("k", "v"));
    requests.put("a replicated map", () -> client.getReplicatedMap("r").put("k", "v"));
    requests.put("a ringbuffer", () -> client.getRingbuffer("b").add("x"));
    requests.put("a reliable topic", () -> client.getReliableTopic("t").publish("x"));
    requests.put("another topic", () -> client.getTopic("t").publish("x"));
    requests.put("ids", () -> client.getFlakeIdGenerator("f").newId());
    requests.put("a counter", () -> client.getPNCounter("p").addAndGet(1));
    requests.put(
        "a fence in CP", () -> client.getCPSubsystem().getAtomicLong("ledger-fence/1").set(9));
    requests.put("a lock in CP", () -> client.getCPSubsystem().getLock("l").lock());
    requests.put(
        "another executor",
        () -> wait(client.getExecutorService("e").submit(new HostileTask("e"))));
    requests.put(
        "a durable executor",
        () -> wait(client.getDurableExecutorService("d").submit(new HostileTask("d"))));
    requests.put(
        "a scheduled executor",
        () -> {
          final var unused =
              client
                  .getScheduledExecutorService("s")
                  .schedule(new HostileTask("s"), 0, TimeUnit.SECONDS);
        });
    requests.put(
        "a transaction",
        () -> {
          final var transaction = client.newTransactionContext();
          transaction.beginTransaction();
          transaction.getMap(GridNames.LEDGERS).put(key, "x");
          transaction.commitTransaction();
        });
    requests.put(
        "another configuration",
        () -> client.getConfig().addMapConfig(new MapConfig("configured").setBackupCount(0)));
    requests.put("destroying the ledgers", () -> client.getMap(GridNames.LEDGERS).destroy());
    requests.put("a list of all that is there", client::getDistributedObjects);
  }

  private void sql() {
    for (final String statement :
        List.of(
            "DELETE FROM ledgers",
            "UPDATE ledgers SET top_up = 1",
            "INSERT INTO ledgers (__key, top_up) VALUES ('" + key + "', 1)",
            "SINK INTO ledgers (__key, top_up) VALUES ('" + key + "', 1)",
            "DROP MAPPING ledgers",
            "CREATE OR REPLACE MAPPING ledgers (__key VARCHAR, this VARCHAR) TYPE IMap OPTIONS"
                + " ('keyFormat'='varchar', 'valueFormat'='varchar')",
            "CREATE MAPPING inbox EXTERNAL NAME \"usage-inbox\" TYPE IMap OPTIONS"
                + " ('keyFormat'='varchar', 'valueFormat'='varchar')",
            "CREATE MAPPING secrets (line VARCHAR) TYPE File OPTIONS ('format'='csv', 'path'='"
                + secrets
                + "', 'glob'='operator.key')",
            "SELECT * FROM TABLE(csv_file(path => '" + secrets + "', glob => 'operator.key'))",
            "select __key, (SELECT count(*) FROM ledgers) from ledgers",
            "SELECT * FROM ledgers a, ledgers b",
            "SELECT * FROM ledgers /* x */",
            "SELECT * FROM ledgers; DROP MAPPING ledgers",
            "SELECT * FROM information_schema.mappings",
            "SELECT * FROM TABLE(generate_stream(1000000))",
            "CREATE JOB j AS SINK INTO ledgers SELECT * FROM ledgers",
            "DROP JOB IF EXISTS tollgrid",
            "SHOW MAPPINGS",
            "CREATE DATA CONNECTION d TYPE JDBC SHARED OPTIONS"
                + " ('jdbcUrl'='jdbc:postgresql://127.0.0.1/')")) {
      requests.put(
          "SQL: " + statement.replace(secrets.toString(), "…"),
          () -> client.getSql().execute(statement).close());
    }
    requests.put(
        "SQL with an object as its parameter",
        () -> client.getSql().execute("SELECT * FROM ledgers WHERE __key = ?", List.of(1)).close());
  }

  private void jobs() {
    requests.put(
        "a job that reads files",
        () -> {
          final Pipeline pipeline = Pipeline.create();
          pipeline.readFrom(Sources.files(secrets.toString())).writeTo(Sinks.list("read"));
          client.getJet().newJob(pipeline).join();
        });
    requests.put("a list of jobs", () -> client.getJet().getJobs());
    requests.put("ending a job", () -> client.getJet().getJob(1L));
  }

  private void management() {
    manage("a script", MCRunScriptCodec.encodeRequest("JavaScript", "1 + 1"));
    manage("a console command", MCRunConsoleCommandCodec.encodeRequest(null, "m.clear"));
    manage("another cluster state", MCChangeClusterStateCodec.encodeRequest(2));
    manage("CP reset", MCResetCPSubsystemCodec.encodeRequest());
    manage("member shutdown", MCShutdownMemberCodec.encodeRequest());
  }

  private void manage(String what, ClientMessage message) {
    final UUID member = client.getCluster().getMembers().iterator().next().getUuid();
    requests.put(
        "management: " + what,
        () -> wait(new ClientInvocation(grid(), message, "m", member).invoke()));
  }

  /** Objects in every form, where processors, tasks and words of changes belong. */
  private void objects(long commandSchema, Random random) {
    final List<HeapData> objects = new ArrayList<>();
    for (final int form : OTHER_FORMS) {
      objects.add(data(form, random, 4 + random.nextInt(200)));
    }
    objects.add(data(COMPACT, random, 0));
    objects.add(data(COMPACT, random, 7));
    objects.add(data(COMPACT, random, 64));
    int n = 0;
    for (final HeapData object : objects) {
      final String form = "form " + object.getType() + " no. " + n++;
      sent(
          "a processor of " + form,
          MapSubmitToKeyCodec.encodeRequest(GridNames.LEDGERS, object, text(key), 1));
      sent(
          "a left batch of " + form,
          MapSubmitToKeyCodec.encodeRequest(GridNames.USAGE_INBOX, object, text(key), 1));
      sent(
          "a task of " + form,
          ExecutorServiceSubmitToPartitionCodec.encodeRequest(
              GridNames.POLICY_READS, UUID.randomUUID(), object));
      sent("word of " + form, TopicPublishCodec.encodeRequest(GridNames.CHANGES, object));
      sent(
          "a key of " + form,
          MapSubmitToKeyCodec.encodeRequest(
              GridNames.LEDGERS, command(commandSchema, random), object, 1));
    }
    sent(
        "a ledger command for the inbox",
        MapSubmitToKeyCodec.encodeRequest(
            GridNames.USAGE_INBOX, command(commandSchema, random), text(key), 1));
    sent(
        "a ledger command as a task",
        ExecutorServiceSubmitToPartitionCodec.encodeRequest(
            GridNames.LEDGER_ROWS, UUID.randomUUID(), command(commandSchema, random)));
    // These are of the right type and none of its values: they fail when they are read.
    for (int i = 0; i < 8; i++) {
      sent(
          "a ledger command that is garbage, no. " + i,
          MapSubmitToKeyCodec.encodeRequest(
              GridNames.LEDGERS, command(commandSchema, random), text(key), 1));
    }
    requests.put(
        "a Compact task without a serializer",
        () ->
            wait(
                client
                    .getExecutorService(GridNames.POLICY_READS)
                    .submit(new HostileTask("compact"))));
    requests.put(
        "a Java object as word of a change",
        () -> client.getTopic(GridNames.CHANGES).publish(new HostileTask.Processor()));
  }

  private void sent(String what, ClientMessage message) {
    requests.put(what, () -> wait(new ClientInvocation(grid(), message, "x", 0).invoke()));
  }

  private static HeapData command(long schema, Random random) {
    final int length = random.nextInt(300);
    final byte[] body = new byte[length];
    random.nextBytes(body);
    if (length >= 4 && random.nextBoolean()) {
      // The length that a variable part begins with: as large as can be.
      ByteBuffer.wrap(body).putInt(Integer.MAX_VALUE);
    }
    return new HeapData(
        ByteBuffer.allocate(8 + 8 + length)
            .putInt(0)
            .putInt(COMPACT)
            .putLong(schema)
            .put(body)
            .array());
  }

  private static HeapData data(int form, Random random, int length) {
    final byte[] body = new byte[length];
    random.nextBytes(body);
    return new HeapData(ByteBuffer.allocate(8 + length).putInt(0).putInt(form).put(body).array());
  }

  private Data text(String text) {
    return grid().getSerializationService().toData(text);
  }

  private HazelcastClientInstanceImpl grid() {
    return ((HazelcastClientProxy) client).client;
  }

  private static void wait(java.util.concurrent.Future<?> answer) {
    try {
      answer.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing of it ever reaches a member. */
  private static final class Interceptor implements MapInterceptor {
    private static final long serialVersionUID = 1L;

    @Override
    public Object interceptGet(Object value) {
      return "intercepted";
    }

    @Override
    public void afterGet(Object value) {}

    @Override
    public Object interceptPut(Object oldValue, Object newValue) {
      return "intercepted";
    }

    @Override
    public void afterPut(Object value) {}

    @Override
    public Object interceptRemove(Object removedValue) {
      return "intercepted";
    }

    @Override
    public void afterRemove(Object oldValue) {}
  }
}
