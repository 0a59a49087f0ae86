package io.tollgrid.admission.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Id128;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Witnesses R44, the session's half: what a session remembers, and when it must not. */
class SessionTest {
  private final Map<String, Credential> issued = new HashMap<>();
  private final List<String> verified = new ArrayList<>();
  private final Credential ada = issue("ada", 1, 100);
  private final Credential bob = issue("bob", 2, 200);
  private final Session session = new Session(this::verify);

  @Test
  void theSameSecretIsVerifiedOnce() {
    assertThat(authenticate("ada", 0)).isTrue();
    assertThat(authenticate("ada", 99)).isTrue();

    assertThat(verified).containsExactly("ada");
    assertThat(session.principal()).isEqualTo(ada.principal());
    assertThat(session.credential(99)).isSameAs(ada);
  }

  @Test
  void anotherSecretClearsTheProofBeforeItIsVerified() {
    assertThat(authenticate("ada", 0)).isTrue();
    final Session[] seen = new Session[1];
    final Session nosy =
        new Session(
            (secret, length, now) -> {
              if (seen[0] != null && seen[0].principal().equals(ada.principal())) {
                throw new AssertionError("verifying with the old proof still there");
              }
              return verify(secret, length, now);
            });
    assertThat(nosy.authenticate(bytes("ada"), 3, 0)).isTrue();
    seen[0] = nosy;

    assertThat(nosy.authenticate(bytes("eve"), 3, 0)).isFalse();
    assertThat(nosy.principal()).isEqualTo(Id128.ZERO);
    assertThat(nosy.authenticate(bytes("bob"), 3, 0)).isTrue();
    assertThat(nosy.principal()).isEqualTo(bob.principal());
  }

  @Test
  void noSecretAtAllIsNobody() {
    assertThat(authenticate("ada", 0)).isTrue();
    assertThat(authenticate("", 0)).isFalse();

    assertThat(session.credential(0)).isNull();
    assertThat(session.principal()).isEqualTo(Id128.ZERO);
  }

  @Test
  void aFailureIsNotRemembered() {
    assertThat(authenticate("new", 0)).isFalse();
    issue("new", 3, 100);
    assertThat(authenticate("new", 0)).isTrue();

    assertThat(verified).containsExactly("new", "new");
  }

  @Test
  void anExpiredProofIsGoneToTheNanosecondAndVerifiedAnewAfterwards() {
    assertThat(authenticate("ada", 99)).isTrue();
    assertThat(authenticate("ada", 100)).isFalse();
    assertThat(session.credential(99)).as("cleared, not only refused").isNull();
    assertThat(authenticate("ada", 99)).isTrue();

    assertThat(verified).containsExactly("ada", "ada", "ada");
  }

  @Test
  void aSecretWhoseCredentialWasProlongedIsProvedAgainAtOnce() {
    assertThat(authenticate("ada", 99)).isTrue();
    final Credential prolonged = issue("ada", 1, 300);

    assertThat(authenticate("ada", 100)).isTrue();
    assertThat(session.credential(100)).isSameAs(prolonged);
  }

  @Test
  void aRetiredCredentialIsRefusedAtTheNextUseWhateverWasCached() {
    assertThat(authenticate("ada", 0)).isTrue();
    ada.retire();

    assertThat(session.credential(0)).isNull();
    assertThat(authenticate("ada", 0)).isFalse();
  }

  @Test
  void secretsThatShareABeginningAreDifferent() {
    issue("adam", 4, 100);
    assertThat(authenticate("ada", 0)).isTrue();
    assertThat(authenticate("adam", 0)).isTrue();
    assertThat(session.principal()).isEqualTo(new Id128(0, 4));
    assertThat(authenticate("ada", 0)).isTrue();
    assertThat(session.principal()).isEqualTo(ada.principal());
  }

  @Test
  void aSecretThatIsTooLongIsRefusedWithoutAskingAnyone() {
    assertThat(session.authenticate(new byte[1_000], 513, 0)).isFalse();
    assertThat(verified).isEmpty();
    assertThat(session.authenticate(new byte[1_000], 512, 0)).isFalse();
    assertThat(verified).as("the longest is asked about").hasSize(1);
    assertThatThrownBy(() -> session.authenticate(new byte[3], 4, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4 bytes in an array of 3");
  }

  @Test
  void closingWipesTheSecretAndEndsTheSession() throws Exception {
    assertThat(authenticate("ada", 0)).isTrue();
    session.close();

    final Field secret = Session.class.getDeclaredField("secret");
    secret.setAccessible(true);
    assertThat((byte[]) secret.get(session)).containsOnly(0);
    assertThat(session.credential(0)).isNull();
    assertThatThrownBy(() -> authenticate("ada", 0)).hasMessageContaining("after close()");
  }

  private boolean authenticate(final String secret, final long nowNanos) {
    return session.authenticate(bytes(secret), secret.length(), nowNanos);
  }

  private @Nullable Credential verify(final byte[] secret, final int length, final long nowNanos) {
    final String presented = new String(secret, 0, length, StandardCharsets.UTF_8);
    verified.add(presented);
    return issued.get(presented);
  }

  private Credential issue(final String secret, final long id, final long expiresAtNanos) {
    final Credential credential =
        new Credential(new Id128(1, id), new Id128(0, id), expiresAtNanos);
    issued.put(secret, credential);
    return credential;
  }

  private static byte[] bytes(final String secret) {
    return secret.getBytes(StandardCharsets.UTF_8);
  }
}
