package io.tollgrid.node.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.node.doctor.Diagnosis;
import io.tollgrid.node.doctor.Doctor;
import io.tollgrid.pipelines.Alarm;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Makes every alarm fire for its cause and clear without it (R53), on a system of its own: the
 * causes are damage, which no other system should suffer.
 */
@Command(
    name = "doctor",
    description = {
      "Sees whether every alarm fires and clears, on a throw-away system.",
      "What its node logs on standard error is the damage that is done to it."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:every alarm fired for its cause and cleared without it",
      "1:an alarm did not; standard output names it",
      "2:it could not start"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final double MILLIS_PER_SECOND = 1_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "print one JSON object instead of text")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    final PrintWriter out = spec.commandLine().getOut();
    final Progress progress = new Progress(spec.commandLine().getErr(), new SystemClock());
    final List<Diagnosis> all = new ArrayList<>();
    try (Doctor doctor = new Doctor()) {
      for (final Alarm alarm : Alarm.values()) {
        progress.say(() -> all.size() + " alarms examined, now " + alarm);
        final Diagnosis diagnosis = doctor.examine(alarm);
        all.add(diagnosis);
        if (!json) {
          out.println(asText(diagnosis));
          out.flush();
        }
      }
    }
    out.println(json ? asJson(all) : summary(all));
    out.flush();
    return good(all) ? ExitCode.GOOD : ExitCode.CHECK_FAILED;
  }

  private static boolean good(List<Diagnosis> all) {
    return all.stream().allMatch(Diagnosis::good);
  }

  static String summary(List<Diagnosis> all) {
    final long failed = all.stream().filter(diagnosis -> !diagnosis.good()).count();
    return failed == 0
        ? all.size() + " alarms fire for their causes and clear without them"
        : failed + " of " + all.size() + " alarms cannot be relied on";
  }

  static String asText(Diagnosis diagnosis) {
    return String.format(Locale.ROOT, "%-26s", diagnosis.alarm())
        + (diagnosis.good()
            ? "fired after "
                + seconds(diagnosis.firedAfter())
                + " s, cleared after "
                + seconds(diagnosis.clearedAfter())
                + " s"
            : "FAILED: " + diagnosis.problem());
  }

  private static @Nullable Double seconds(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis() / MILLIS_PER_SECOND;
  }

  static String asJson(List<Diagnosis> all) throws JsonProcessingException {
    final Map<String, Object> object = new LinkedHashMap<>();
    object.put("good", good(all));
    object.put("alarms", all.stream().map(DoctorCommand::asMap).toList());
    return new ObjectMapper().writeValueAsString(object);
  }

  private static Map<String, @Nullable Object> asMap(Diagnosis diagnosis) {
    final Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("alarm", diagnosis.alarm().name());
    map.put("good", diagnosis.good());
    map.put("firedAfterSeconds", seconds(diagnosis.firedAfter()));
    map.put("clearedAfterSeconds", seconds(diagnosis.clearedAfter()));
    map.put("problem", diagnosis.problem());
    return map;
  }
}
