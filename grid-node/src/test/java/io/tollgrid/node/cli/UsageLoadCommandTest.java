package io.tollgrid.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Witnesses the contract of {@code tollgrid usage load} (interfaces §4): what goes where and how it
 * ends. What becomes of lines is {@code UsageLoadTest}'s affair.
 */
class UsageLoadCommandTest {
  @TempDir private Path dir;

  private record Ended(int code, String out, String err) {}

  @Test
  @Tag("slow")
  void standardInputIsLoadedAndEveryLineThatWasNotAcceptedIsNamed() throws Exception {
    final Path errors = dir.resolve("errors.ndjson");
    final String unknown =
        "{\"account\":\"0123456789abcdef0123456789abcdef\",\"units\":1,\"request\":\""
            + new RandomIds().timeOrderedId(new SystemClock().nowNanos())
            + "\"}\n";

    final Ended ended =
        run(
            gzip("nonsense\n" + unknown),
            "usage",
            "load",
            "-",
            "--json",
            "--errors",
            errors.toString(),
            "--data",
            dir.resolve("data").toString());

    assertThat(ended.code()).as(ended.toString()).isEqualTo(ExitCode.CHECK_FAILED);
    final JsonNode report = new ObjectMapper().readTree(ended.out());
    assertThat(report.get("lines").longValue()).isEqualTo(2);
    assertThat(report.get("events").longValue()).isEqualTo(1);
    assertThat(report.get("malformed").longValue()).isEqualTo(1);
    assertThat(report.get("accepted").longValue()).isZero();
    assertThat(report.get("duplicates").toString()).isEqualTo("{\"same\":0,\"differing\":0}");
    assertThat(report.get("rejected").toString()).isEqualTo("{\"UNKNOWN_ACCOUNT\":1}");
    assertThat(report.get("units").toString())
        .isEqualTo("{\"billed\":0,\"unfunded\":0,\"duplicate\":0,\"rejected\":1}");
    assertThat(Files.readAllLines(errors))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("{\"line\":1,\"code\":\"not-json\",\"reason\":\"");
    assertThat(ended.err())
        .contains("tollgrid: line 1: not-json: ")
        .contains("tollgrid: line 2: UNKNOWN_ACCOUNT: ");
  }

  @Test
  void inputThatCannotBeUsedIsOneLineAndTwoAndStartsNothing() throws Exception {
    final Path data = dir.resolve("data");
    final Path damaged = Files.write(dir.resolve("events.gz"), new byte[] {0x1f, (byte) 0x8b, 9});
    final Path good = Files.writeString(dir.resolve("events.ndjson"), "");

    assertRefused(
        "there is no such file", dir.resolve("none").toString(), "--data", data.toString());
    assertRefused("cannot be read", damaged.toString(), "--data", data.toString());
    assertRefused("cannot be read", dir.toString(), "--data", data.toString());
    assertRefused("--config", good.toString());
    assertRefused("FILE|-", "--data", data.toString());
    assertRefused("--quiet", good.toString(), "--quiet", "--data", data.toString());
    assertRefused(
        "--errors would overwrite",
        good.toString(),
        "--errors",
        good.toString(),
        "--data",
        data.toString());
    assertRefused(
        "cannot be written",
        good.toString(),
        "--errors",
        dir.toString(),
        "--data",
        data.toString());
    assertThat(data).doesNotExist();
  }

  private static void assertRefused(String saying, String... args) {
    final String[] all = new String[args.length + 2];
    all[0] = "usage";
    all[1] = "load";
    System.arraycopy(args, 0, all, 2, args.length);
    final Ended ended = run(new byte[0], all);
    assertThat(ended.code()).as(ended.toString()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).startsWith("tollgrid: ").contains(saying);
    assertThat(ended.err().lines()).hasSize(1);
  }

  private static byte[] gzip(String text) throws Exception {
    final ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  private static Ended run(byte[] input, String... args) {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final CommandLine command =
        TollgridCli.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    final InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input));
    try {
      return new Ended(command.execute(args), out.toString(), err.toString());
    } finally {
      System.setIn(before);
    }
  }
}
