package io.tollgrid.verification.faults.host;

/** Every process on this machine, as whoever started the run. */
final class LocalHosts implements Hosts {
  @Override
  public Host member(int number) {
    return Host.LOCAL;
  }

  @Override
  public Host instance(int number) {
    return Host.LOCAL;
  }

  @Override
  public Host database() {
    return Host.LOCAL;
  }

  @Override
  public boolean canCut() {
    return false;
  }

  @Override
  public void cut(Host from, Host to) {
    throw new IllegalStateException("nobody can be cut off from anybody on one machine");
  }

  @Override
  public void heal() {}

  @Override
  public void close() {}
}
