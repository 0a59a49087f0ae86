package io.tollgrid.grid.wire;

import io.tollgrid.grid.GridNames;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which SQL a client may have run: one SELECT over the table of ledgers.
 *
 * <p>Hazelcast's SQL reads the member's files, opens connections, submits jobs and changes any map.
 * All of that takes words. So there is a list of words, and whatever is not on it, or is not a
 * number, a text or an operator, is refused; the list names one table and no function that is more
 * than arithmetic. No grammar has to be understood for that, and none can be evaded.
 */
final class LedgerQuestion {
  private static final int MAX_CHARS = 4_096;
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s+|'[^']*+'|\"(\\w+)\"|([A-Za-z_]\\w*+)|\\d++(?:\\.\\d++)?+|-(?!-)|/(?!\\*)|[(),*=<>!+%?]");
  private static final Set<String> WORDS =
      Set.of(
          "SELECT DISTINCT AS FROM WHERE AND OR NOT IN IS NULL TRUE FALSE BETWEEN LIKE GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET ROWS ONLY FETCH NEXT CASE WHEN THEN ELSE END COUNT SUM MIN MAX AVG ABS COALESCE NULLIF GREATEST LEAST"
              .split(" "));
  private static final Set<String> COLUMNS =
      Set.of(
          "__key",
          "status",
          "version",
          "as_of",
          "deposited",
          "overage",
          "allowance",
          "top_up",
          "outstanding",
          "billed",
          "loss",
          "expired",
          "unfunded",
          "ownership_fence");

  private LedgerQuestion() {}

  /** Whether a statement is one. */
  static boolean is(String sql) {
    if (sql.length() > MAX_CHARS) {
      return false;
    }
    final Matcher tokens = TOKEN.matcher(sql);
    int at = 0;
    int selects = 0;
    int tables = 0;
    while (at < sql.length()) {
      if (!tokens.find(at) || tokens.start() != at) {
        return false;
      }
      final String quoted = tokens.group(1);
      final String name = quoted == null ? tokens.group(2) : quoted;
      if (name != null) {
        final String word = name.toUpperCase(Locale.ROOT);
        if (name.equals(GridNames.LEDGERS)) {
          tables++;
        } else if (!COLUMNS.contains(name) && (quoted != null || !WORDS.contains(word))) {
          return false;
        }
        selects += word.equals("SELECT") ? 1 : 0;
      }
      at = tokens.end();
    }
    return selects == 1 && tables == 1;
  }
}
