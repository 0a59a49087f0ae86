package io.tollgrid.verification.house;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first table of `docs/dependencies.md`: what a node runs with, a row for each family of
 * libraries.
 *
 * <p>A row's first cell names the family's group and then its artifacts, each in backticks. Rows of
 * the other tables of that page begin with a word, not with a backtick, and are passed over.
 *
 * @param rows the rows in the order of the page
 */
record DependencyTable(List<Row> rows) {

  private static final Pattern BACKTICKED = Pattern.compile("`([^`]+)`");
  private static final int COLUMNS = 5;

  /**
   * One family, cells as written.
   *
   * @param group the group that its artifacts share
   * @param artifacts their names, at least one
   * @param rest version, licence, purpose and advisories
   */
  record Row(String group, List<String> artifacts, List<String> rest) {

    String version() {
      return rest.isEmpty() ? "" : rest.get(0);
    }

    /** Where a Maven repository keeps the artifact: the end of its directory's path. */
    private String home(String artifact) {
      return "/" + group.replace('.', '/') + "/" + artifact + "/";
    }
  }

  /** Reads the table of a page. */
  static DependencyTable parse(String markdown) {
    List<Row> rows = new ArrayList<>();
    for (String line : markdown.lines().filter(text -> text.startsWith("| `")).toList()) {
      List<String> cells = new ArrayList<>();
      for (String cell : line.substring(1, line.lastIndexOf('|')).split("\\|", -1)) {
        cells.add(cell.trim());
      }
      List<String> names = new ArrayList<>();
      Matcher matcher = BACKTICKED.matcher(cells.get(0));
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
      rows.add(
          new Row(
              names.get(0),
              List.copyOf(names.subList(1, names.size())),
              List.copyOf(cells.subList(1, cells.size()))));
    }
    return new DependencyTable(List.copyOf(rows));
  }

  /**
   * Every disagreement with a class path of jars in a Maven repository, as sentences; empty when
   * the table names each jar at its version, nothing else, and says something in every cell.
   *
   * @param jars paths as Maven writes them: `…/group/artifact/version/file.jar`
   */
  List<String> problems(List<String> jars) {
    List<String> problems = new ArrayList<>();
    List<String> unnamed = new ArrayList<>(jars);
    for (Row row : rows) {
      if (row.artifacts().isEmpty()
          || row.rest().size() != COLUMNS - 1
          || row.rest().contains("")) {
        problems.add(row.group() + ": names no artifact, or does not fill " + COLUMNS + " cells");
      }
      for (String artifact : row.artifacts()) {
        String home = row.home(artifact);
        List<String> found = jars.stream().filter(jar -> jar.contains(home)).toList();
        unnamed.removeAll(found);
        if (found.isEmpty()) {
          problems.add(row.group() + ":" + artifact + ": is in the table and not shipped");
        }
        found.stream()
            .filter(jar -> !jar.contains(home + row.version() + "/"))
            .forEach(jar -> problems.add(jar + ": is in the table at " + row.version()));
      }
    }
    unnamed.forEach(jar -> problems.add(jar + ": is shipped and not in the table"));
    return List.copyOf(problems);
  }
}
