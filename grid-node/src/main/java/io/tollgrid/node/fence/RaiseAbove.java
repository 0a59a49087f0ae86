package io.tollgrid.node.fence;

import com.hazelcast.core.IFunction;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;

/**
 * The next fence: one above both the last fence drawn and the fence at rest, which CP forgets when
 * the whole cluster restarts.
 */
final class RaiseAbove implements IFunction<Long, Long>, IdentifiedDataSerializable {
  /** The serialization factory of this package. */
  static final int FACTORY_ID = 0x544C47;

  static final int CLASS_ID = 1;

  private static final long serialVersionUID = 1L;

  private long floor;

  /** For deserialization. */
  RaiseAbove() {}

  RaiseAbove(long floor) {
    this.floor = floor;
  }

  @Override
  public Long apply(Long drawn) {
    return Math.addExact(Math.max(drawn, floor), 1);
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return CLASS_ID;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLong(floor);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    floor = in.readLong();
  }
}
