package io.tollgrid.verification.faults.nemesis;

import io.tollgrid.verification.faults.host.Host;
import io.tollgrid.verification.faults.host.Hosts;
import io.tollgrid.verification.faults.host.LimitedDisk;
import io.tollgrid.verification.faults.host.Site;
import io.tollgrid.verification.faults.plan.Fault;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.SteeredClock;
import io.tollgrid.verification.faults.run.Rig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Inflicts faults on a system and mends them. Used by one thread. */
final class Nemesis {
  private static final long LEAVE_SECONDS = 60;
  private static final long SERVER_SEES_MILLIS = 500;

  private final Rig rig;
  private final Hosts hosts;
  private final @Nullable LimitedDisk disk;
  private final List<ChildJvm> instances;
  private final Map<Integer, ChildJvm> frozenMembers = new HashMap<>();

  /**
   * A nemesis of one system.
   *
   * @param site where it is
   * @param instances its instances, by the numbers of their hosts
   */
  Nemesis(Rig rig, Site site, List<ChildJvm> instances) {
    this.rig = rig;
    this.hosts = site.hosts();
    this.disk = site.disk();
    this.instances = List.copyOf(instances);
  }

  /** Whether a fault can be inflicted here: hosts that are one machine cannot be cut off. */
  boolean can(Fault fault) {
    if (fault instanceof Fault.Partition || fault instanceof Fault.InstanceCut) {
      return hosts.canCut();
    }
    return !(fault instanceof Fault.FullDisk) || disk != null;
  }

  /** Lets faults begin together, lets them last, and mends them. */
  void inflict(List<Fault> together) {
    together.forEach(this::begin);
    rig.pass(together.stream().mapToLong(Fault::lastsMillis).max().orElse(0));
    // What members start with is mended before members are started.
    hosts.heal();
    final List<Fault> members = new ArrayList<>();
    for (final Fault fault : together) {
      if (fault instanceof Fault.Kill) {
        members.add(fault);
      } else {
        mend(fault);
      }
    }
    members.forEach(this::mend);
  }

  private void begin(Fault fault) {
    if (fault instanceof Fault.Kill kill) {
      kill.members().forEach(rig.cluster()::kill);
    } else if (fault instanceof Fault.Freeze freeze) {
      freeze(freeze.member());
    } else if (fault instanceof Fault.Partition partition) {
      separate(partition);
    } else if (fault instanceof Fault.InstanceCut cut) {
      eachMember().forEach(member -> cutBothWays(hosts.instance(cut.instance()), member));
    } else if (fault instanceof Fault.InstanceFreeze freeze) {
      instances.get(freeze.instance()).freeze();
    } else if (fault instanceof Fault.DatabaseCrash) {
      rig.postgres().crash();
    } else if (fault instanceof Fault.DatabaseFreeze) {
      rig.postgres().freeze();
    } else if (fault instanceof Fault.FullDisk) {
      disk().fill();
    } else if (fault instanceof Fault.ClockJump jump) {
      setClocks(jump, jump.byMillis());
    } else if (fault instanceof Fault.RollingRestart restart) {
      restart.members().forEach(this::restart);
    } else {
      throw new IllegalStateException("no schedule of a nemesis has " + fault);
    }
  }

  private void mend(Fault fault) {
    if (fault instanceof Fault.Kill kill) {
      kill.members().forEach(rig::startMember);
    } else if (fault instanceof Fault.Freeze freeze) {
      final ChildJvm process = frozenMembers.remove(freeze.member());
      if (process != null) {
        process.thaw();
      }
    } else if (fault instanceof Fault.InstanceFreeze freeze) {
      instances.get(freeze.instance()).thaw();
    } else if (fault instanceof Fault.DatabaseFreeze) {
      rig.postgres().thaw();
    } else if (fault instanceof Fault.FullDisk) {
      disk().free();
      rig.pass(SERVER_SEES_MILLIS);
      if (!rig.postgres().isAlive()) {
        // It could not even write that it recovers; whoever looks after it starts it anew.
        rig.postgres().restart();
      }
    } else if (fault instanceof Fault.ClockJump jump) {
      setClocks(jump, 0);
    }
  }

  private void freeze(int member) {
    if (rig.cluster().isUp(member)) {
      final ChildJvm process = rig.cluster().process(member);
      process.freeze();
      frozenMembers.put(member, process);
    }
  }

  private void separate(Fault.Partition partition) {
    for (final int member : partition.members()) {
      final Host inside = hosts.member(member);
      for (int other = 0; other < rig.cluster().size(); other++) {
        if (!partition.members().contains(other)) {
          hosts.cut(inside, hosts.member(other));
          if (partition.how() == Fault.Partition.Loss.BOTH_WAYS) {
            hosts.cut(hosts.member(other), inside);
          }
        }
      }
      if (partition.onlyEachOther()) {
        cutBothWays(inside, hosts.database());
        for (int instance = 0; instance < instances.size(); instance++) {
          cutBothWays(inside, hosts.instance(instance));
        }
      }
    }
  }

  private List<Host> eachMember() {
    return IntStream.range(0, rig.cluster().size()).mapToObj(hosts::member).toList();
  }

  private void cutBothWays(Host one, Host other) {
    hosts.cut(one, other);
    hosts.cut(other, one);
  }

  private void setClocks(Fault.ClockJump jump, long offMillis) {
    if (rig.cluster().isUp(jump.member())) {
      rig.cluster().tell(jump.member(), SteeredClock.off(offMillis));
    }
    instances.get(jump.member() % instances.size()).tell(SteeredClock.off(offMillis));
  }

  private void restart(int member) {
    if (rig.cluster().isUp(member)) {
      final boolean inOrder = rig.cluster().leave(member, LEAVE_SECONDS);
      rig.startMember(member);
      final boolean whole = rig.awaitWhole(rig.cluster().size());
      if (!inOrder || !whole) {
        throw new IllegalStateException("member " + member + " did not leave and come back");
      }
    }
  }

  private LimitedDisk disk() {
    if (disk == null) {
      throw new IllegalStateException("this disk cannot be filled");
    }
    return disk;
  }
}
