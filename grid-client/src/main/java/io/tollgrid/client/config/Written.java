package io.tollgrid.client.config;

import java.util.List;
import java.util.Map;

/**
 * A value as a YAML file has it, told apart by YAML's own kinds and not interpreted any further.
 *
 * <p>Lines count from 1.
 */
sealed interface Written {
  /** The line it begins in. */
  int line();

  /** How a refusal shows it to the person who wrote it. */
  String shown();

  /** A text, quoted or plain. */
  record Text(int line, String text) implements Written {
    @Override
    public String shown() {
      return '"' + text + '"';
    }
  }

  /** A whole number in decimal digits, of any length, without leading zeros. */
  record Whole(int line, String digits) implements Written {
    @Override
    public String shown() {
      return digits;
    }
  }

  /** {@code true} or {@code false}, in this spelling. */
  record Truth(int line, boolean value) implements Written {
    @Override
    public String shown() {
      return Boolean.toString(value);
    }
  }

  /** Nothing, or one of the words for it. */
  record Nothing(int line) implements Written {
    @Override
    public String shown() {
      return "nothing";
    }
  }

  /**
   * What no setting is made of: a fraction, a number in hexadecimal digits, a tag of somebody's.
   */
  record Other(int line, String text) implements Written {
    @Override
    public String shown() {
      return text;
    }
  }

  /** A list. */
  record Items(int line, List<Written> values) implements Written {
    @Override
    public String shown() {
      return "a list";
    }
  }

  /** A map, in the order of the file; no name is stated twice. */
  record Fields(int line, Map<String, Written> values) implements Written {
    @Override
    public String shown() {
      return "a map";
    }
  }
}
