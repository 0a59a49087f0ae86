package io.tollgrid.verification.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses what `./tollgrid` promises before any Java runs: it finds a JDK of 17 or newer, builds
 * when and only when it must, keeps the caller's directory and arguments, and passes exit codes
 * through.
 *
 * <p>Runs the real script in a made-up checkout, with a Maven and JDKs that are shell scripts and
 * write down how they were called.
 */
class LauncherTest {

  private static final List<String> TOOLS =
      List.of(
          "sh",
          "cat",
          "dirname",
          "find",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "rmdir",
          "sed",
          "sleep");

  @TempDir Path scratch;

  private Path checkout;
  private Path bin;
  private Path jdks;
  private Path callerDirectory;

  private record Ended(int exitCode, String stdout, String stderr) {}

  @BeforeEach
  void makeACheckout() throws IOException {
    checkout = Files.createDirectories(scratch.resolve("a checkout"));
    bin = Files.createDirectories(scratch.resolve("bin"));
    jdks = Files.createDirectories(scratch.resolve("jdks"));
    callerDirectory = Files.createDirectories(scratch.resolve("elsewhere"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), whereIs(tool));
    }
    Files.copy(Checkout.root().resolve("tollgrid"), checkout.resolve("tollgrid"));
    assertThat(checkout.resolve("tollgrid").toFile().setExecutable(true)).isTrue();
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    Files.createDirectories(checkout.resolve("ledger/src/main"));
    Files.createDirectories(checkout.resolve("formal/src"));
    Files.createDirectories(checkout.resolve(".mvn"));
    Files.writeString(checkout.resolve("ledger/pom.xml"), "<project/>");
    jdk("17", "17.0.15");
    maven(0);
  }

  @Test
  void withoutAJdkItSaysSoInOneLineAndExitsWith2() throws Exception {
    Ended ended = run(Map.of("TOLLGRID_JDK_ROOT", scratch.resolve("nothing").toString()), "demo");

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr().lines()).singleElement().asString().contains("no JDK of version 17");
  }

  @Test
  void anOldJavaHomeIsPassedOver() throws Exception {
    Path old = jdk("old", "11.0.2");

    Ended ended = run(Map.of("JAVA_HOME", old.toString()), "demo");

    assertThat(ended.stdout()).contains("jdk 17.0.15");
  }

  @Test
  void aNewEnoughJavaHomeComesFirst() throws Exception {
    Path newer = jdk("25", "25.0.1");

    assertThat(run(Map.of("JAVA_HOME", newer.toString()), "demo").stdout()).contains("jdk 25.0.1");
  }

  @Test
  void withoutMavenItSaysSoInOneLineAndExitsWith2() throws Exception {
    Files.delete(bin.resolve("mvn"));

    for (String command : List.of("demo", "test")) {
      Ended ended = run(Map.of(), command);

      assertThat(ended.exitCode()).as(command).isEqualTo(2);
      assertThat(ended.stderr().lines()).singleElement().asString().contains("no Maven found");
    }
  }

  @Test
  void itBuildsOnFirstUseAndAgainOnlyAfterAChange() throws Exception {
    run(Map.of(), "demo");
    run(Map.of(), "demo");
    assertThat(builds()).as("two runs of one state").isEqualTo(1);

    Path source =
        Files.writeString(checkout.resolve("ledger/src/main/Lease.java"), "class Lease {}");
    makeNewer(source);
    run(Map.of(), "demo");
    assertThat(builds()).as("after a source changed").isEqualTo(2);

    Files.delete(checkout.resolve("formal/target/classpath.txt"));
    run(Map.of(), "demo");
    assertThat(builds()).as("after one module was cleaned").isEqualTo(3);
  }

  @Test
  void aChangeOfATestAloneBuildsNothing() throws Exception {
    run(Map.of(), "demo");
    Files.createDirectories(checkout.resolve("ledger/src/test"));
    makeNewer(Files.writeString(checkout.resolve("ledger/src/test/LeaseTest.java"), "class T {}"));

    run(Map.of(), "demo");

    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void aFailedBuildExitsWith2AndIsTriedAgain() throws Exception {
    maven(1);
    Ended ended = run(Map.of(), "demo");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr()).contains("the build failed");

    maven(0);
    assertThat(run(Map.of(), "demo").exitCode()).isZero();
  }

  @Test
  void aBuildThatDiedDoesNotBlockTheNext() throws Exception {
    Path lock = Files.createDirectories(checkout.resolve("target/tollgrid-build.lock"));
    Process gone = new ProcessBuilder("sh", "-c", "exit 0").start();
    gone.waitFor();
    Files.writeString(lock.resolve("pid"), gone.pid() + "\n");

    assertThat(run(Map.of(), "demo").exitCode()).isZero();
    assertThat(lock).doesNotExist();
  }

  @Test
  void argumentsAndTheCallersDirectoryArriveUnchanged() throws Exception {
    Ended ended = run(Map.of(), "replay", "a file.csv", "--data", "dir with * and $x", "");

    assertThat(ended.stdout())
        .contains("in " + callerDirectory.toRealPath())
        .contains("main io.tollgrid.node.cli.TollgridCli")
        .contains("<replay><a file.csv><--data><dir with * and $x><>");
  }

  @Test
  void aRelativeSymbolicLinkLeadsToItsCheckout() throws Exception {
    Path link = callerDirectory.resolve("tg");
    Files.createSymbolicLink(link, Path.of("../a checkout/tollgrid"));

    Ended ended = runScript(link, Map.of(), "verify");

    assertThat(ended.stdout()).contains("<verify>");
    assertThat(ended.stdout()).contains(checkout.toRealPath() + "/ledger/target/classes");
  }

  @Test
  void theChildsExitCodeIsPassedThrough() throws Exception {
    assertThat(run(Map.of("EXIT_WITH", "7"), "verify").exitCode()).isEqualTo(7);
  }

  @Test
  void evidenceCommandsGoToTheirModules() throws Exception {
    for (String command : List.of("simulate", "faults", "bench")) {
      assertThat(run(Map.of(), command, "--json").stdout())
          .contains("main io.tollgrid.verification.cli.VerificationCli")
          .contains("<" + command + "><--json>");
    }
    assertThat(run(Map.of(), "prove", "--json").stdout())
        .contains("main io.tollgrid.formal.cli.ProveCli")
        .contains("/formal/target/test-classes")
        .contains("<--json>");
  }

  @Test
  void everyLaunchGetsTheCommonPoolThatHazelcastNeeds() throws Exception {
    for (String command : List.of("up", "bench")) {
      assertThat(run(Map.of(), command).stdout())
          .contains("-Djava.util.concurrent.ForkJoinPool.common.parallelism=4");
    }
  }

  @Test
  void testRunsTheWholeCheckAndFastLeavesOutTheSlow() throws Exception {
    run(Map.of(), "test", "-pl", "ledger");
    run(Map.of(), "test", "--fast");

    assertThat(mavenCalls()).containsExactly("-B -ntp verify -pl ledger", "-B -ntp -Pfast verify");
  }

  @Test
  void aRedTestRunIsARedExit() throws Exception {
    maven(1);

    assertThat(run(Map.of(), "test").exitCode()).isEqualTo(1);
  }

  // ---- the made-up world ---------------------------------------------------------------------

  private Path jdk(String name, String version) throws IOException {
    Path home =
        Files.createDirectories((name.equals("17") ? jdks : scratch).resolve("jdk-" + name));
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/javac"), "exit 0");
    script(
        home.resolve("bin/java"),
        """
        echo "jdk %s"
        echo "in $(pwd -P)"
        options=
        while [ $# -gt 0 ]; do
          case $1 in
            -cp | --add-modules | --add-exports | --add-opens) options="$options $1 $2"; shift 2 ;;
            -*) options="$options $1"; shift ;;
            *) break ;;
          esac
        done
        echo "options $options"
        echo "main $1"
        shift
        for argument in "$@"; do printf '<%%s>' "$argument"; done
        echo
        exit ${EXIT_WITH:-0}
        """
            .formatted(version));
    return home;
  }

  /** A Maven that notes its arguments, leaves behind what a build leaves, and ends as told. */
  private void maven(int exitCode) throws IOException {
    script(
        bin.resolve("mvn"),
        """
        echo "$*" >>'%s'
        for module in grid-node verification formal; do
          mkdir -p "$module/target"
          echo /a.jar:/b.jar >"$module/target/classpath.txt"
        done
        exit %d
        """
            .formatted(scratch.resolve("maven-calls"), exitCode));
  }

  private List<String> mavenCalls() throws IOException {
    return Files.readAllLines(scratch.resolve("maven-calls"));
  }

  private long builds() throws IOException {
    return mavenCalls().stream().filter(call -> call.endsWith("package")).count();
  }

  /** Later than the last build by more than any file system's resolution. */
  private void makeNewer(Path file) throws IOException {
    FileTime built = Files.getLastModifiedTime(checkout.resolve("target/tollgrid-build.stamp"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(built.toMillis() + 5_000));
    // The file's directory changed when it was created; keep what is asserted about the file alone.
    Files.setLastModifiedTime(file.getParent(), FileTime.fromMillis(built.toMillis() - 5_000));
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static Path whereIs(String tool) {
    for (String directory : List.of("/usr/bin", "/bin")) {
      Path candidate = Path.of(directory, tool);
      if (Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    throw new IllegalStateException("this system has no " + tool);
  }

  private Ended run(Map<String, String> environment, String... arguments) throws Exception {
    return runScript(checkout.resolve("tollgrid"), environment, arguments);
  }

  private Ended runScript(Path script, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Path stdout = scratch.resolve("stdout");
    Path stderr = scratch.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(callerDirectory.toFile())
            .redirectOutput(stdout.toFile())
            .redirectError(stderr.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("TOLLGRID_JDK_ROOT", jdks.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the launcher ends").isTrue();
    return new Ended(process.exitValue(), Files.readString(stdout), Files.readString(stderr));
  }
}
