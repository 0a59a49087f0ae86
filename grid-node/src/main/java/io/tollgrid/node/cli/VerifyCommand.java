package io.tollgrid.node.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.verify.Finding;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.node.Authority;
import io.tollgrid.node.config.DatabaseLocation;
import io.tollgrid.node.config.NodeConfig;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Compares everything PostgreSQL holds of every account with everything else: books, leases, usage,
 * deposits, and what its journal replays to. Reads only; a live system can be verified.
 */
@Command(
    name = "verify",
    description = "Verifies every stored account; names those that contradict themselves.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:everything agrees",
      "1:something disagrees; standard output names the accounts",
      "2:it could not be verified"
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Where where = new Where();

  @Option(names = "--json", description = "print one JSON object instead of text")
  private boolean json;

  /** Where the accounts are. */
  static final class Where {
    @ArgGroup(exclusive = true)
    private @Nullable Source source;

    @ArgGroup(exclusive = false)
    private @Nullable Server server;
  }

  /** A server named on the command line. */
  static final class Server {
    @Option(
        names = "--url",
        required = true,
        paramLabel = "JDBC",
        description = "jdbc:postgresql://… without credentials")
    private @Nullable String url;

    @Option(
        names = "--user",
        paramLabel = "ROLE",
        defaultValue = "postgres",
        description = "the role to connect as (default: ${DEFAULT-VALUE})")
    private String user = "postgres";

    @Option(
        names = "--password-file",
        paramLabel = "FILE",
        description = "a file with the role's password and nothing else")
    private @Nullable Path passwordFile;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    final Optional<NodeConfig> config =
        Optional.ofNullable(where.source).map(source -> source.load(System.getenv()).config());
    final DatabaseLocation location =
        config.map(node -> node.database().location()).orElseGet(() -> location(where.server));
    final LedgerLimits limits =
        config.map(node -> node.ledger().limits()).orElse(LedgerLimits.DEFAULTS);
    final LedgerVerification.Report report = verify(location, limits);
    final PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(asJson(report));
    } else {
      report.findings().forEach(out::println);
      out.println(summary(report));
    }
    out.flush();
    return report.clean() ? ExitCode.GOOD : ExitCode.CHECK_FAILED;
  }

  private static DatabaseLocation location(@Nullable Server server) {
    if (server == null || server.url == null) {
      throw new CommandFailure("name what to verify: --config, --data or --url");
    }
    if (!server.url.startsWith("jdbc:postgresql:")) {
      throw new CommandFailure("--url must start with jdbc:postgresql:, not " + server.url);
    }
    return new DatabaseLocation.Server(
        server.url, server.user, Optional.ofNullable(server.passwordFile));
  }

  private static LedgerVerification.Report verify(DatabaseLocation location, LedgerLimits limits) {
    if (location instanceof DatabaseLocation.Embedded embedded
        && !Files.exists(embedded.dataDir().resolve("postgres"))) {
      throw new CommandFailure("there is no Tollgrid data in " + embedded.dataDir());
    }
    try (Authority authority = Authority.openToRead(location);
        LedgerDataSources sources =
            LedgerDataSources.open(
                authority.address(), new LedgerDataSources.Sizes(1, 1, 1, 1, 1, 1))) {
      return new LedgerVerification(sources.control()).run(limits);
    } catch (SQLException e) {
      throw new CommandFailure("PostgreSQL cannot be asked: " + e.getMessage(), e);
    }
  }

  private static String summary(LedgerVerification.Report report) {
    final String looked =
        report.accounts() + " accounts and " + report.transitions() + " journal entries";
    return report.clean()
        ? looked + " verified: everything agrees"
        : looked + " verified: " + report.found() + " disagreements";
  }

  private static String asJson(LedgerVerification.Report report) throws JsonProcessingException {
    final Map<String, Object> object = new LinkedHashMap<>();
    object.put("clean", report.clean());
    object.put("accounts", report.accounts());
    object.put("transitions", report.transitions());
    object.put("found", report.found());
    object.put("findings", report.findings().stream().map(VerifyCommand::asMap).toList());
    return new ObjectMapper().writeValueAsString(object);
  }

  private static Map<String, String> asMap(Finding finding) {
    final Map<String, String> map = new LinkedHashMap<>();
    map.put("account", finding.account().toHex());
    map.put("check", finding.check());
    map.put("details", finding.details());
    return map;
  }
}
