package io.tollgrid.verification.faults.host;

import java.util.List;
import java.util.stream.Stream;

/**
 * A place for processes.
 *
 * @param address its IPv4 address
 * @param prefix the words before a command that is to run there
 */
public record Host(String address, List<String> prefix) {
  /** This machine, by its loopback address. */
  public static final Host LOCAL = new Host("127.0.0.1", List.of());

  /** Copies the list. */
  public Host {
    prefix = List.copyOf(prefix);
  }

  /** A command that runs there, in a process of the same id as the one that is started. */
  public List<String> command(List<String> words) {
    return Stream.concat(prefix.stream(), words.stream()).toList();
  }
}
