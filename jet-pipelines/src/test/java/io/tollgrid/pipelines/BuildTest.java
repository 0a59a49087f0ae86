package io.tollgrid.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Witnesses the order of builds and that this build knows its own. */
class BuildTest {
  @Test
  void buildsAreOrderedAsVersionsAreAndNotAsText() {
    assertThat(Build.of("0.9.0")).isLessThan(Build.of("0.10.0"));
    assertThat(Build.of("1.0.0-SNAPSHOT")).isLessThan(Build.of("1.0.0"));
    assertThat(Build.of("1.0.0")).isLessThan(Build.of("1.0.1-SNAPSHOT"));
  }

  @Test
  void whatIsNoVersionIsNobodysBuild() {
    assertThat(Build.shown("${project.version}")).isEmpty();
    assertThat(Build.shown(null)).isEmpty();
    assertThat(Build.shown("1.2")).contains(Build.of("1.2"));
  }

  @Test
  void theBuildFillsItsVersionIn() {
    assertThat(Build.current()).isGreaterThan(Build.of("0.0.1"));
  }
}
