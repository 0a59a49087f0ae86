package io.tollgrid.node.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.pipelines.Alarm;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Witnesses R53: each alarm fires for its real cause and clears without it; one that is switched
 * off is found out, and the others are still good.
 */
@Tag("slow")
@Timeout(300)
class DoctorTest {
  private static final AtomicReference<Alarm> BLIND = new AtomicReference<>();

  private static Doctor doctor;

  @BeforeAll
  static void open() {
    doctor = new Doctor(alarm -> alarm == BLIND.get());
  }

  @AfterEach
  void see() {
    BLIND.set(null);
  }

  @AfterAll
  static void close() {
    doctor.close();
  }

  @ParameterizedTest
  @EnumSource
  void anAlarmIsGoodUntilItIsSwitchedOff(Alarm alarm) {
    final Diagnosis seeing = doctor.examine(alarm);
    assertThat(seeing.problem()).isNull();

    BLIND.set(alarm);
    final Duration twiceAsLong =
        Objects.requireNonNull(seeing.firedAfter()).multipliedBy(2).plusMillis(100);
    final Diagnosis blind = doctor.examine(alarm, twiceAsLong);
    final Alarm other =
        alarm == Alarm.DEFAULT_PARTITION_IN_USE
            ? Alarm.MONTHS_NOT_AHEAD
            : Alarm.DEFAULT_PARTITION_IN_USE;

    assertThat(blind.good()).isFalse();
    assertThat(blind.problem()).startsWith("it did not fire");
    assertThat(doctor.examine(other).problem()).isNull();
  }
}
