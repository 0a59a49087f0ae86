package io.tollgrid.verification.faults.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Each process in a network namespace of its own, all of them behind one router, which is a
 * namespace as well: it loses what it is told to lose, and nobody gets word of it.
 *
 * <p>Needs root and {@code ip}. The addresses are of the block for benchmarks of networks (RFC
 * 2544), which no machine uses for anything else; two runs at once on one machine share them not.
 * Used by one thread.
 */
public final class NamespaceHosts implements Hosts {
  private static final String NAME = "tollgrid-";
  private static final String BLOCK = "198.18.";
  private static final String WHOLE_BLOCK = "198.18.0.0/16";
  private static final String OUTSIDE = "tollgrid0";

  private final String prefix;
  private final String router;
  private final List<Host> members = new ArrayList<>();
  private final List<Host> instances = new ArrayList<>();
  private final List<List<String>> cuts = new ArrayList<>();
  private final List<String> namespaces = new ArrayList<>();
  private final Host database = new Host(address(0), List.of());

  private NamespaceHosts() {
    this.prefix = NAME + ProcessHandle.current().pid() + "-";
    this.router = prefix + "router";
  }

  /**
   * Hosts for so many members and instances; empty if this machine does not let this process have
   * any.
   *
   * @param whyNot told why there are none
   */
  public static Optional<Hosts> open(int members, int instances, Consumer<String> whyNot) {
    final NamespaceHosts hosts = new NamespaceHosts();
    boolean good = false;
    try {
      removeAbandoned();
      hosts.build(members, instances);
      good = true;
      return Optional.of(hosts);
    } catch (Tool.ToolException e) {
      whyNot.accept(String.valueOf(e.getMessage()));
      return Optional.empty();
    } finally {
      if (!good) {
        hosts.close();
      }
    }
  }

  /** A harness that was killed leaves its namespaces behind. */
  private static void removeAbandoned() {
    Tool.run(List.of("ip", "netns", "list"))
        .lines()
        .map(line -> line.split(" ", 2)[0])
        .filter(name -> name.matches(NAME + "[0-9]+-.*"))
        .filter(name -> ProcessHandle.of(Long.parseLong(name.split("-", 3)[1])).isEmpty())
        .forEach(name -> Tool.run(List.of("ip", "netns", "del", name)));
  }

  private void build(int members, int instances) {
    namespace(router);
    Tool.run(inside(router, "sysctl", "-q", "-w", "net.ipv4.ip_forward=1"));
    ip("link", "add", OUTSIDE, "type", "veth", "peer", "name", "h0", "netns", router);
    ip("addr", "add", address(0) + "/30", "dev", OUTSIDE);
    ip("link", "set", OUTSIDE, "up");
    routerEnd(0);
    ip("route", "add", WHOLE_BLOCK, "via", gateway(0));
    for (int i = 0; i < members; i++) {
      this.members.add(host("member" + i, 1 + i));
    }
    for (int i = 0; i < instances; i++) {
      this.instances.add(host("instance" + i, 1 + members + i));
    }
  }

  private void namespace(String name) {
    ip("netns", "add", name);
    namespaces.add(name);
    ip("-n", name, "link", "set", "lo", "up");
  }

  private Host host(String name, int number) {
    final String namespace = prefix + name;
    namespace(namespace);
    final String end = "h" + number;
    ip("-n", namespace, "link", "add", "out", "type", "veth", "peer", "name", end, "netns", router);
    ip("-n", namespace, "addr", "add", address(number) + "/30", "dev", "out");
    ip("-n", namespace, "link", "set", "out", "up");
    routerEnd(number);
    ip("-n", namespace, "route", "add", "default", "via", gateway(number));
    return new Host(address(number), inside(namespace));
  }

  private void routerEnd(int number) {
    ip("-n", router, "addr", "add", gateway(number) + "/30", "dev", "h" + number);
    ip("-n", router, "link", "set", "h" + number, "up");
  }

  private static List<String> inside(String namespace, String... words) {
    final List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    command.addAll(List.of(words));
    return command;
  }

  private static String gateway(int number) {
    return BLOCK + number + ".1";
  }

  private static String address(int number) {
    return BLOCK + number + ".2";
  }

  private static void ip(String... words) {
    final List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(words));
    Tool.run(command);
  }

  @Override
  public Host member(int number) {
    return members.get(number);
  }

  @Override
  public Host instance(int number) {
    return instances.get(number);
  }

  @Override
  public Host database() {
    return database;
  }

  @Override
  public boolean canCut() {
    return true;
  }

  @Override
  public void cut(Host from, Host to) {
    final List<String> cut = List.of("from", from.address(), "to", to.address(), "blackhole");
    rule("add", cut);
    cuts.add(cut);
  }

  @Override
  public void heal() {
    cuts.forEach(cut -> rule("del", cut));
    cuts.clear();
  }

  private void rule(String verb, List<String> rule) {
    final List<String> words = new ArrayList<>(List.of("-n", router, "rule", verb));
    words.addAll(rule);
    ip(words.toArray(String[]::new));
  }

  @Override
  public synchronized void close() {
    // The ends of a pair go with the namespace that holds one of them.
    namespaces.forEach(name -> Tool.run(List.of("ip", "netns", "del", name)));
    namespaces.clear();
  }
}
