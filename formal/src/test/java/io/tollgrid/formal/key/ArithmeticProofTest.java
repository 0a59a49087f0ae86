package io.tollgrid.formal.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.formal.Proof;
import io.tollgrid.formal.Prover;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The arithmetic of the ledger, and of prices, rates and shards, as shipped. Witnesses R7, R10,
 * R12, R14 and R29 and the formulas: every contract is proved over integers that wrap, and stays
 * open where an overflow is planted. The other mutants are the business of {@code ./tollgrid
 * prove}.
 */
@Tag("slow")
class ArithmeticProofTest {
  private static final Path REPOSITORY =
      Path.of(System.getProperty("tollgrid.repository", "..")).toAbsolutePath().normalize();
  private static final List<Mutation> OVERFLOWS =
      ShippedArithmetic.MUTATIONS.stream()
          .filter(mutation -> mutation.name().equals("Overflow"))
          .toList();

  private static List<Proof> proofs = List.of();

  @BeforeAll
  static void prove() throws IOException {
    proofs =
        new KeyProver(REPOSITORY, ShippedArithmetic.PROVED, ShippedArithmetic.NAMED, OVERFLOWS)
            .prove(Prover.Scope.EVERYTHING, line -> {});
  }

  @Test
  void everyContractIsProved() {
    assertThat(proofs).allSatisfy(proof -> assertThat(proof.result()).isEqualTo("pass"));
  }

  @Test
  void aPlantedOverflowStaysOpen() {
    final List<Proof.Mutant> mutants =
        proofs.stream().flatMap(proof -> proof.mutants().stream()).toList();

    assertThat(mutants).hasSameSizeAs(OVERFLOWS).hasSizeGreaterThanOrEqualTo(5);
    assertThat(mutants).allSatisfy(mutant -> assertThat(mutant.caught()).isTrue());
  }

  @Test
  void everyMethodThatCalculatesHasAContract() throws ClassNotFoundException {
    final Set<String> methods = new TreeSet<>();
    for (final String file : ShippedArithmetic.PROVED) {
      methods.addAll(methodsOf(Class.forName(className(file))));
    }

    assertThat(subjects()).isEqualTo(methods);
  }

  @Test
  void everyProofWasSeenToFail() {
    final Set<String> mutated =
        ShippedArithmetic.MUTATIONS.stream()
            .map(Mutation::subject)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(mutated).isEqualTo(subjects());
  }

  private static String className(String file) {
    final String below = file.substring(file.indexOf("/java/") + "/java/".length());
    return below.substring(0, below.length() - ".java".length()).replace('/', '.');
  }

  private static Set<String> subjects() {
    return proofs.stream().map(Proof::subject).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Constructors that take something, and every method that is not a field's plain accessor. */
  private static Set<String> methodsOf(Class<?> type) {
    final Set<String> fields =
        Arrays.stream(type.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .map(Field::getName)
            .collect(Collectors.toSet());
    final Set<String> names = new TreeSet<>();
    for (final Method method : type.getDeclaredMethods()) {
      if (!method.isSynthetic()
          && !(method.getParameterCount() == 0 && fields.contains(method.getName()))) {
        names.add(type.getSimpleName() + "#" + method.getName());
      }
    }
    for (final Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() > 0) {
        names.add(type.getSimpleName() + "#" + type.getSimpleName());
      }
    }
    return names;
  }
}
