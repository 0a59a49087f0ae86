package io.tollgrid.node.fence;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The CP subsystem as its repair sees it. Every call is bounded by the limit it is given. */
interface CpGroup {
  /**
   * One CP member.
   *
   * @param id its CP id, which is not its id in the cluster
   * @param address where it was when it became one
   */
  record CpMember(UUID id, InetSocketAddress address) {}

  /** The CP members, agreed by a majority of them; empty if none answered in time. */
  Optional<List<CpMember>> members(Duration limit) throws InterruptedException;

  /** This member's CP id, if it takes itself for a CP member. */
  Optional<UUID> localId();

  /** Makes this member a CP member. */
  void promote(Duration limit) throws CpFailure, InterruptedException;

  /** Takes a dead CP member off the list. */
  void remove(UUID id, Duration limit) throws CpFailure, InterruptedException;

  /** Wipes CP on all members and starts it anew; only the oldest member may. */
  void reset(Duration limit) throws CpFailure, InterruptedException;

  /** A call that failed or was not answered in time. */
  final class CpFailure extends Exception {
    private static final long serialVersionUID = 1L;

    CpFailure(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
