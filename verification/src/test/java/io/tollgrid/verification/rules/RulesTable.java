package io.tollgrid.verification.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of `docs/RULES.md`: one row per rule, in the seven columns of {@link Row}.
 *
 * @param rows the rows whose first cell names a rule, in the order of the file
 * @param malformed lines that look like a row of the table and are none
 */
record RulesTable(List<Row> rows, List<String> malformed) {

  private static final Pattern RULE_ID =
      Pattern.compile("(?:\\*\\*)?(R[0-9]+|Formulas)(?:\\*\\*)?");
  private static final Pattern BACKTICKED = Pattern.compile("`([^`]+)`");
  private static final int COLUMNS = 7;

  /**
   * One rule's row, cells as written.
   *
   * @param rule the rule's name, {@code R12}
   * @param statement the rule in at most twelve words
   * @param enforcedBy citations of what upholds the rule
   * @param tests citations of the tests that would fail if the rule were broken
   * @param proof citations of models and proofs
   * @param mutation a change to the enforcing code under which a cited test fails
   * @param state {@code built}, {@code built in part; not built: …} or {@code not built: …}
   */
  record Row(
      String rule,
      String statement,
      String enforcedBy,
      String tests,
      String proof,
      String mutation,
      String state) {

    /** What a cell cites: its backticked words, in order. */
    static List<String> citations(String cell) {
      List<String> cited = new ArrayList<>();
      Matcher matcher = BACKTICKED.matcher(cell);
      while (matcher.find()) {
        cited.add(matcher.group(1));
      }
      return cited;
    }
  }

  /** Reads the rows of a Markdown text. Text around the table is ignored. */
  static RulesTable parse(String markdown) {
    List<Row> rows = new ArrayList<>();
    List<String> malformed = new ArrayList<>();
    for (String line : markdown.lines().toList()) {
      if (!line.startsWith("| R") && !line.startsWith("| **R") && !line.startsWith("| Formulas")) {
        continue;
      }
      String[] cells = line.substring(1, line.lastIndexOf('|')).split("\\|", -1);
      Matcher id = RULE_ID.matcher(cells[0].trim());
      if (cells[0].trim().equals("Rule")) {
        continue;
      }
      if (cells.length != COLUMNS || !id.matches()) {
        malformed.add(line);
        continue;
      }
      rows.add(
          new Row(
              id.group(1),
              cells[1].trim(),
              cells[2].trim(),
              cells[3].trim(),
              cells[4].trim(),
              cells[5].trim(),
              cells[6].trim()));
    }
    return new RulesTable(List.copyOf(rows), List.copyOf(malformed));
  }
}
