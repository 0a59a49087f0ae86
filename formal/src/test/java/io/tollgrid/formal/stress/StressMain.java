package io.tollgrid.formal.stress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs stress tests in this process, and prints what was seen.
 *
 * <p>It calls the runners that jcstress generates. jcstress's own main class would first start some
 * twenty-five JVMs to learn which options they take, and several more for each test: minutes, where
 * a build has seconds.
 */
final class StressMain {
  /** Between the columns of a line: test, what is expected of the state, how often, the state. */
  static final String COLUMN = "\t";

  private static final int STRIDE_SIZE = 256;
  private static final int STRIDES = 40;
  private static final int FOOTPRINT_MEBIBYTES = 128;

  private StressMain() {}

  /**
   * Runs rounds of each test; a test that was seen to fail is run no further.
   *
   * @param args milliseconds per round, rounds per test, then the tests
   */
  public static void main(String[] args) throws Exception {
    final int millis = Integer.parseInt(args[0]);
    final int rounds = Integer.parseInt(args[1]);
    for (int test = 2; test < args.length; test++) {
      boolean failed = false;
      for (int round = 0; round < rounds && !failed; round++) {
        failed = run(TestList.getInfo(args[test]), millis);
      }
    }
    System.exit(0);
  }

  private static boolean run(TestInfo test, int millis) throws Exception {
    final ForkedTestConfig config = config(test.generatedRunner(), millis);
    final Runner<?> runner =
        Class.forName(config.generatedRunnerName)
            .asSubclass(Runner.class)
            .getConstructor(ForkedTestConfig.class)
            .newInstance(config);
    final TestResult result = runner.run();
    if (result.status() != Status.NORMAL) {
      throw new IllegalStateException(
          test.name() + " ended as " + result.status() + ": " + result.getMessages());
    }
    boolean failed = false;
    for (final String state : result.getStateKeys()) {
      final Expect expect = expected(test, state);
      failed |= expect == Expect.FORBIDDEN;
      System.out.println(
          String.join(
              COLUMN, test.name(), expect.name(), Long.toString(result.getCount(state)), state));
    }
    return failed;
  }

  private static Expect expected(TestInfo test, String state) {
    return test.cases().stream()
        .filter(known -> known.matches(state))
        .findFirst()
        .map(StateCase::expect)
        .orElseGet(() -> test.unmatched().expect());
  }

  /** One iteration; in the form in which jcstress hands it to a process of its own. */
  private static ForkedTestConfig config(String runner, int millis) throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(Arrays.asList(SpinLoopStyle.values()).indexOf(SpinLoopStyle.THREAD_SPIN_WAIT));
    out.writeInt(millis);
    out.writeInt(1);
    out.writeUTF(runner);
    out.writeInt(FOOTPRINT_MEBIBYTES);
    out.writeInt(STRIDE_SIZE);
    out.writeInt(STRIDES);
    out.writeBoolean(false);
    return new ForkedTestConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
