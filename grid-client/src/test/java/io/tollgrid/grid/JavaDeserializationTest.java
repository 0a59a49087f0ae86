package io.tollgrid.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.port.LedgerCodeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Witnesses R45: an object stream makes what the list names and nothing else (architecture §7). */
class JavaDeserializationTest {
  /** A class that members have and no stream may make. */
  private record Gadget(String command) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void failuresOfMembersAreRead() throws Exception {
    final Object read =
        pass(new LedgerCodeException(LedgerCode.STALE, "why", new IOException("cause")));

    assertThat(read).isInstanceOf(LedgerCodeException.class);
    assertThat(pass(new ArrayList<>(List.of("a", 1L)))).isEqualTo(List.of("a", 1L));
    assertThat(pass(new long[][] {{1}, {2}})).isEqualTo(new long[][] {{1}, {2}});
  }

  @Test
  void everythingElseIsRefusedWhereverItIs() {
    for (final Serializable hidden :
        List.of(
            new Gadget("x"),
            new Gadget[] {new Gadget("x")},
            new ArrayList<>(List.of(new Gadget("x"))),
            Level.INFO)) {
      assertThatThrownBy(() -> pass(hidden)).isInstanceOf(InvalidClassException.class);
    }
  }

  @Test
  void aGraphThatTakesForEverIsRefused() {
    // Each level asks the next one twice for its hash.
    final HashSet<Object> outermost = new HashSet<>();
    Set<Object> left = outermost;
    Set<Object> right = new HashSet<>();
    for (int level = 0; level < 100; level++) {
      final Set<Object> nextLeft = new HashSet<>(Set.of("level"));
      final Set<Object> nextRight = new HashSet<>();
      left.add(nextLeft);
      left.add(nextRight);
      right.add(nextLeft);
      right.add(nextRight);
      left = nextLeft;
      right = nextRight;
    }

    assertThatThrownBy(() -> pass(outermost)).isInstanceOf(InvalidClassException.class);
  }

  private static Object pass(Serializable object) throws IOException, ClassNotFoundException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.setObjectInputFilter(JavaDeserialization::judge);
      return in.readObject();
    }
  }
}
