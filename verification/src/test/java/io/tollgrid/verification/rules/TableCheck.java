package io.tollgrid.verification.rules;

import io.tollgrid.verification.rules.RulesTable.Row;
import io.tollgrid.verification.rules.SourceTree.JavaSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Every disagreement between a {@link RulesTable} and a {@link SourceTree}, as sentences for the
 * person who mends them.
 *
 * <p>A citation is one backticked word in one of four forms: {@code Type} or {@code Type#method}
 * (Java, nested types as {@code Outer.Inner}), {@code sql:name} (a constraint, trigger or unique
 * index of a migration), {@code Module.tla} or {@code Module.tla!Operator} (TLA+), {@code
 * name.patch} (a recorded mutation, {@link RecordedMutation}). Any other backticked word in a
 * citing column is an error: a citation nobody can follow is worse than none.
 */
final class TableCheck {

  /** The rules are R1 to R57, and the formulas that are proved as shipped. */
  private static final int LAST_RULE = 57;

  private static final String FORMULAS = "Formulas";
  private static final int LONGEST_STATEMENT_WORDS = 12;
  private static final int SHORTEST_MUTATION_WORDS = 3;

  private static final Pattern JAVA =
      Pattern.compile("([A-Z]\\w*(?:\\.[A-Z]\\w*)*)(?:#([a-z]\\w*))?");
  private static final Pattern SQL = Pattern.compile("sql:([a-z][a-z0-9_]*)");
  private static final Pattern TLA = Pattern.compile("(\\w+\\.tla)(?:!(\\w+))?");
  private static final Pattern PATCH = Pattern.compile("[\\w.-]+\\.patch");

  private static final Pattern STATE =
      Pattern.compile("built|built in part; not built: (?<rest>.+)|not built: (?<later>.+)");

  private final RulesTable table;
  private final SourceTree tree;
  private final List<String> problems = new ArrayList<>();

  private TableCheck(RulesTable table, SourceTree tree) {
    this.table = table;
    this.tree = tree;
  }

  /** The problems found, empty when table and tree agree. */
  static List<String> problems(RulesTable table, SourceTree tree) {
    TableCheck check = new TableCheck(table, tree);
    check.rowsPresentOnce();
    table.rows().forEach(check::row);
    tree.mutations().forEach(check::recorded);
    return List.copyOf(check.problems);
  }

  private void rowsPresentOnce() {
    table.malformed().forEach(line -> problems.add("not a row of seven cells: " + line));
    Map<String, Integer> seen = new HashMap<>();
    table.rows().forEach(row -> seen.merge(row.rule(), 1, Integer::sum));
    for (int number = 1; number <= LAST_RULE; number++) {
      if (!seen.containsKey("R" + number)) {
        problems.add("R" + number + ": has no row");
      }
    }
    if (!seen.containsKey(FORMULAS)) {
      problems.add(FORMULAS + ": has no row");
    }
    seen.forEach(
        (rule, times) -> {
          if (times > 1) {
            problems.add(rule + ": has " + times + " rows");
          }
          if (!rule.equals(FORMULAS) && Integer.parseInt(rule.substring(1)) > LAST_RULE) {
            problems.add(rule + ": there is no such rule");
          }
        });
  }

  private void row(Row row) {
    int words = row.statement().isEmpty() ? 0 : row.statement().split("\\s+").length;
    if (words == 0 || words > LONGEST_STATEMENT_WORDS) {
      problem(row, "its statement has " + words + " words; 1 to " + LONGEST_STATEMENT_WORDS);
    }
    Row.citations(row.enforcedBy()).forEach(citation -> enforcing(row, citation));
    Row.citations(row.tests()).forEach(citation -> witness(row, citation));
    Row.citations(row.proof()).forEach(citation -> proof(row, citation));
    Row.citations(row.mutation()).forEach(citation -> mutation(row, citation));

    Matcher state = STATE.matcher(row.state());
    if (!state.matches()) {
      problem(
          row,
          "its state \""
              + row.state()
              + "\" is neither \"built\" nor says which part of the product will build it");
    } else if (row.state().startsWith("built")) {
      complete(row);
    }
  }

  /**
   * A built rule names what upholds it, a test that watches it, and how that test was seen to fail.
   */
  private void complete(Row row) {
    if (Row.citations(row.enforcedBy()).isEmpty()) {
      problem(row, "is built and cites nothing that enforces it");
    }
    if (Row.citations(row.tests()).isEmpty()) {
      problem(row, "is built and cites no test");
    }
    if (Row.citations(row.mutation()).stream().noneMatch(PATCH.asMatchPredicate())) {
      problem(row, "is built and names no recorded mutation under which its witness fails");
    } else if (row.mutation().split("\\s+").length < SHORTEST_MUTATION_WORDS) {
      problem(row, "does not say in words what its mutation does");
    }
  }

  private void enforcing(Row row, String citation) {
    if (javaCitation(row, citation) || sqlCitation(row, citation)) {
      return;
    }
    problem(row, "cites `" + citation + "`, which is neither a Java type nor sql:name");
  }

  private void witness(Row row, String citation) {
    if (!javaCitation(row, citation)) {
      problem(row, "cites `" + citation + "` as a test, which is not a Java type");
      return;
    }
    String type = typeOf(citation);
    tree.javaType(type)
        .ifPresent(
            source -> {
              if (!source.isTestSource() || !source.holdsTests()) {
                problem(row, "cites `" + citation + "` as a test, and it holds none");
              }
              if (!source.mentionsRule(row.rule()) && !row.rule().equals(FORMULAS)) {
                problem(
                    row, "cites `" + citation + "`, which does not say that it witnesses the rule");
              }
            });
  }

  private void proof(Row row, String citation) {
    if (tlaCitation(row, citation) || javaCitation(row, citation)) {
      return;
    }
    problem(row, "cites `" + citation + "`, which is neither a TLA+ module nor a Java type");
  }

  /** Mutations are prose and may quote code; only what looks like a recorded patch must exist. */
  private void mutation(Row row, String citation) {
    if (PATCH.matcher(citation).matches()
        && tree.mutations().stream().noneMatch(mutation -> mutation.name().equals(citation))) {
      problem(row, "cites `" + citation + "`, and no such mutation is recorded");
    }
  }

  /**
   * A recorded mutation belongs to one row, that row cites its witness, and it still applies: one
   * that does not would be found only by whoever tries it.
   */
  private void recorded(RecordedMutation mutation) {
    List<Row> citing =
        table.rows().stream()
            .filter(row -> Row.citations(row.mutation()).contains(mutation.name()))
            .toList();
    if (citing.size() != 1) {
      problems.add(mutation.name() + ": is cited by " + citing.size() + " rows; 1");
    }
    for (Row row : citing) {
      if (!row.rule().equals(mutation.header("Rule"))) {
        problem(row, "cites `" + mutation.name() + "`, which is of " + mutation.header("Rule"));
      }
      if (Row.citations(row.tests()).stream()
          .noneMatch(test -> covers(test, mutation.header("Witness")))) {
        problem(
            row,
            "does not cite `"
                + mutation.header("Witness")
                + "`, the witness of "
                + mutation.name());
      }
    }
    if (mutation.header("Fails").isEmpty()) {
      problems.add(mutation.name() + ": does not say in which words its witness fails");
    }
    String witness = mutation.header("Witness");
    Optional<JavaSource> source = tree.javaType(typeOf(witness));
    int hash = witness.indexOf('#');
    if (source.isEmpty()
        || (hash >= 0 && !source.get().declaresMethod(witness.substring(hash + 1)))) {
      problems.add(mutation.name() + ": there is no witness " + witness);
    } else if (!source.get().isIn(mutation.header("Module"))) {
      problems.add(mutation.name() + ": its witness is not in " + mutation.header("Module"));
    }
    mutation.misfits().forEach(misfit -> problems.add(mutation.name() + ": " + misfit));
  }

  /** Whether a citation names the witness: the very method, or its class as a whole. */
  private static boolean covers(String citation, String witness) {
    return citation.equals(witness) || citation.equals(typeOf(witness));
  }

  private boolean javaCitation(Row row, String citation) {
    Matcher java = JAVA.matcher(citation);
    if (!java.matches()) {
      return false;
    }
    Optional<JavaSource> source = tree.javaType(java.group(1));
    if (source.isEmpty()) {
      problem(row, "cites `" + citation + "`, and no source declares " + java.group(1));
    } else if (java.group(2) != null && !source.get().declaresMethod(java.group(2))) {
      problem(row, "cites `" + citation + "`, and the type has no method " + java.group(2));
    }
    return true;
  }

  private boolean sqlCitation(Row row, String citation) {
    Matcher sql = SQL.matcher(citation);
    if (!sql.matches()) {
      return false;
    }
    if (!tree.hasSqlConstraint(sql.group(1))) {
      problem(row, "cites `" + citation + "`, and no migration declares it");
    }
    return true;
  }

  private boolean tlaCitation(Row row, String citation) {
    Matcher tla = TLA.matcher(citation);
    if (!tla.matches()) {
      return false;
    }
    Optional<Path> module = tree.tlaModule(tla.group(1));
    if (module.isEmpty()) {
      problem(row, "cites `" + citation + "`, and there is no such module");
    } else if (tla.group(2) != null && !SourceTree.definesOperator(module.get(), tla.group(2))) {
      problem(row, "cites `" + citation + "`, and the module does not define " + tla.group(2));
    }
    return true;
  }

  private static String typeOf(String citation) {
    int hash = citation.indexOf('#');
    return hash < 0 ? citation : citation.substring(0, hash);
  }

  private void problem(Row row, String what) {
    problems.add(row.rule() + ": " + what);
  }
}
