package io.tollgrid.client.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * A YAML file with one document, taken apart: the only place that knows the parser.
 *
 * <p>Read by YAML 1.2's core schema, where {@code yes} is a text. No anchor may stand for a list or
 * a map, so that nothing grows or repeats that the file does not spell out.
 */
final class YamlFile {
  private static final int MAX_CODE_POINTS = 1 << 20;
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]*)");

  private final Path file;

  private YamlFile(final Path file) {
    this.file = file;
  }

  /**
   * The map at the top of a file; empty if the file says nothing.
   *
   * @throws ConfigException naming the file, and the line where there is one
   */
  static Optional<Written.Fields> read(final Path file) {
    return new YamlFile(file).read();
  }

  private Optional<Written.Fields> read() {
    final Optional<Node> root;
    try {
      root = new Compose(settings()).composeString(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new ConfigException("there is no configuration file " + file, e);
    } catch (IOException e) {
      throw new ConfigException("cannot read " + file + ": " + e.getMessage(), e);
    } catch (MarkedYamlEngineException e) {
      throw new ConfigException(
          file + ", line " + line(e.getProblemMark()) + ": " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new ConfigException(
          file + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
    }
    if (root.isEmpty()) {
      return Optional.empty();
    }
    final Written written = written(root.get(), "");
    if (written instanceof Written.Nothing) {
      return Optional.empty();
    }
    if (written instanceof Written.Fields fields) {
      return Optional.of(fields);
    }
    throw new ConfigException(file + ": must be a map of settings");
  }

  private LoadSettings settings() {
    return LoadSettings.builder()
        .setLabel(file.toString())
        .setSchema(new CoreSchema())
        .setCodePointLimit(MAX_CODE_POINTS)
        // Refused here, with the line.
        .setAllowNonScalarKeys(true)
        .setMaxAliasesForCollections(0)
        .build();
  }

  private Written written(final Node node, final String path) {
    if (node instanceof MappingNode mapping) {
      return fields(mapping, path);
    }
    final int line = line(node.getStartMark());
    if (node instanceof SequenceNode sequence) {
      final List<Written> items = new ArrayList<>();
      sequence.getValue().forEach(item -> items.add(written(item, path)));
      return new Written.Items(line, List.copyOf(items));
    }
    return scalar((ScalarNode) node, line);
  }

  private Written.Fields fields(final MappingNode mapping, final String path) {
    final Map<String, Written> fields = new LinkedHashMap<>();
    for (final NodeTuple field : mapping.getValue()) {
      final int line = line(field.getKeyNode().getStartMark());
      if (!(field.getKeyNode() instanceof ScalarNode name)) {
        throw new ConfigException(file + ", line " + line + ": a key must be a text");
      }
      final String inner = path.isEmpty() ? name.getValue() : path + "." + name.getValue();
      if (fields.put(name.getValue(), written(field.getValueNode(), inner)) != null) {
        throw new ConfigException(
            inner + ": is stated a second time (" + file + ", line " + line + ")");
      }
    }
    return new Written.Fields(line(mapping.getStartMark()), fields);
  }

  private static Written scalar(final ScalarNode scalar, final int line) {
    final Tag tag = scalar.getTag();
    final String text = scalar.getValue();
    if (tag.equals(Tag.STR)) {
      return new Written.Text(line, text);
    }
    if (tag.equals(Tag.NULL)) {
      return new Written.Nothing(line);
    }
    if (tag.equals(Tag.INT) && WHOLE.matcher(text).matches()) {
      return new Written.Whole(line, text);
    }
    if (tag.equals(Tag.BOOL) && (text.equals("true") || text.equals("false"))) {
      return new Written.Truth(line, text.equals("true"));
    }
    return new Written.Other(line, text);
  }

  private static int line(final Optional<Mark> mark) {
    return mark.map(at -> at.getLine() + 1).orElse(0);
  }
}
