package io.tollgrid.ledger;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a sealed type permits, so that a new kind of it without a test is found. */
final class SealedTypes {
  private SealedTypes() {}

  /** The classes below {@code type} that have instances. */
  static Set<Class<?>> leavesOf(Class<?> type) {
    return leaves(type).collect(Collectors.toSet());
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(SealedTypes::leaves)
        : Stream.of(type);
  }
}
