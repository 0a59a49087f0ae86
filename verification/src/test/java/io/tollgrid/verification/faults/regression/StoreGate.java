package io.tollgrid.verification.faults.regression;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.MapLoaderLifecycleSupport;
import com.hazelcast.map.MapStore;
import io.tollgrid.ledger.LedgerEntry;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The product's map store with places around it where a test can wait or misbehave. */
final class StoreGate implements MapStore<String, LedgerEntry>, MapLoaderLifecycleSupport {
  /** What a test does at those places; by default nothing. */
  interface Script {
    /** The grid creates the store on this member, which may be in the middle of its start. */
    default void created(HazelcastInstance member) {}

    /** A store is about to be handed to the product. */
    default void beforeStore(String key, LedgerEntry entry) {}

    /** The product has stored; the grid does not know yet. */
    default void afterStore(String key, LedgerEntry entry) {}

    /** The product has read; the grid does not know yet. */
    default void afterLoadAll(Collection<String> keys) {}
  }

  private final MapStore<String, LedgerEntry> product;
  private volatile Script script = new Script() {};

  StoreGate(MapStore<String, LedgerEntry> product) {
    this.product = product;
  }

  void play(Script next) {
    script = next;
  }

  @Override
  public void init(HazelcastInstance hazelcast, Properties properties, String mapName) {
    script.created(hazelcast);
  }

  @Override
  public void destroy() {}

  @Override
  public void store(String key, LedgerEntry entry) {
    script.beforeStore(key, entry);
    product.store(key, entry);
    script.afterStore(key, entry);
  }

  @Override
  public @Nullable LedgerEntry load(String key) {
    return product.load(key);
  }

  @Override
  public Map<String, LedgerEntry> loadAll(Collection<String> keys) {
    final Map<String, LedgerEntry> read = product.loadAll(keys);
    script.afterLoadAll(keys);
    return read;
  }

  @Override
  public @Nullable Iterable<String> loadAllKeys() {
    return product.loadAllKeys();
  }

  @Override
  public void storeAll(Map<String, LedgerEntry> entries) {
    product.storeAll(entries);
  }

  @Override
  public void delete(String key) {
    product.delete(key);
  }

  @Override
  public void deleteAll(Collection<String> keys) {
    product.deleteAll(keys);
  }
}
