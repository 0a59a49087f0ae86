package io.tollgrid.verification.faults.host;

/** The hosts of one run. */
public interface Hosts extends AutoCloseable {
  /** Everybody on this machine: nobody can be cut off from anybody. */
  Hosts LOCAL = new LocalHosts();

  /** Where a member lives, from 0. */
  Host member(int number);

  /** Where an instance lives, from 0. */
  Host instance(int number);

  /** Where the harness and PostgreSQL live, as the others reach it. */
  Host database();

  /** Whether packets can be lost between them. */
  boolean canCut();

  /** From now on no packet from one host reaches another; the other way they go on. */
  void cut(Host from, Host to);

  /** Ends every cut. */
  void heal();

  @Override
  void close();
}
