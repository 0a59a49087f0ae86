package io.tollgrid.pipelines;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A build of Tollgrid, ordered from old to new as its version is.
 *
 * @param version the version, {@code 1.2.3} or {@code 1.2.3-SNAPSHOT}
 */
public record Build(Version version) implements Comparable<Build> {
  /** The attribute by which a member shows its build. Members of one cluster may differ in it. */
  public static final String MEMBER_ATTRIBUTE = "tollgrid-build";

  /**
   * Reads a version.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Build of(String version) {
    return new Build(Version.parse(version));
  }

  /** The build that a member shows; empty if it shows none. */
  static Optional<Build> shown(@Nullable String attribute) {
    try {
      return Optional.ofNullable(attribute).map(Build::of);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The build of this process. */
  public static Build current() {
    final Properties build = new Properties();
    try (InputStream resource = Build.class.getResourceAsStream("build.properties")) {
      build.load(resource);
    } catch (IOException e) {
      throw new IllegalStateException("build.properties cannot be read", e);
    }
    return of(build.getProperty("version", ""));
  }

  @Override
  public int compareTo(Build other) {
    return version.compareTo(other.version);
  }

  @Override
  public String toString() {
    return version.toString();
  }
}
