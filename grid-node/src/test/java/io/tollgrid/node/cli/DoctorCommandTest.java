package io.tollgrid.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.node.doctor.Diagnosis;
import io.tollgrid.pipelines.Alarm;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code tollgrid doctor} says; whether it is true is {@code DoctorTest}'s affair. */
class DoctorCommandTest {
  private static final Diagnosis GOOD =
      new Diagnosis(Alarm.SWEEP_LAGGING, Duration.ofMillis(1_250), Duration.ofMillis(40), null);
  private static final Diagnosis BAD =
      new Diagnosis(Alarm.CLOCK_SKEWED, null, null, "it did not fire within 30 s");

  @Test
  void aPersonReadsOneLineForEachAlarm() {
    assertThat(DoctorCommand.asText(GOOD))
        .matches("SWEEP_LAGGING +fired after 1.25 s, cleared after 0.04 s");
    assertThat(DoctorCommand.asText(BAD))
        .matches("CLOCK_SKEWED +FAILED: it did not fire within 30 s");
    assertThat(DoctorCommand.summary(List.of(GOOD, GOOD)))
        .isEqualTo("2 alarms fire for their causes and clear without them");
    assertThat(DoctorCommand.summary(List.of(GOOD, BAD)))
        .isEqualTo("1 of 2 alarms cannot be relied on");
  }

  @Test
  void aProgramReadsOneObject() throws Exception {
    assertThat(DoctorCommand.asJson(List.of(GOOD, BAD)))
        .isEqualTo(
            "{\"good\":false,\"alarms\":["
                + "{\"alarm\":\"SWEEP_LAGGING\",\"good\":true,\"firedAfterSeconds\":1.25,"
                + "\"clearedAfterSeconds\":0.04,\"problem\":null},"
                + "{\"alarm\":\"CLOCK_SKEWED\",\"good\":false,\"firedAfterSeconds\":null,"
                + "\"clearedAfterSeconds\":null,\"problem\":\"it did not fire within 30 s\"}]}");
    assertThat(DoctorCommand.asJson(List.of(GOOD))).startsWith("{\"good\":true");
  }
}
