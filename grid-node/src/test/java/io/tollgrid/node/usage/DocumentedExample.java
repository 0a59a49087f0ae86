package io.tollgrid.node.usage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The example in docs/usage-import.md. */
final class DocumentedExample {
  /** The account in it. */
  static final String ACCOUNT = "0123456789abcdef0123456789abcdef";

  /** The lease in it. */
  static final String LEASE = "5c8d1f0e9a7b46d2b3c4e5f60718293a";

  private DocumentedExample() {}

  static List<String> lines() throws IOException {
    final String text =
        Files.readString(
            Path.of(System.getProperty("tollgrid.repository", ".."))
                .resolve("docs/usage-import.md"));
    final String begin = "```json\n";
    final int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf("```", from)).lines().toList();
  }
}
