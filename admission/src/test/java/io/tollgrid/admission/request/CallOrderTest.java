package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.Outcome;
import io.tollgrid.ledger.AccountTerms;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Witnesses R5 (before start a request costs nothing, after it nothing undoes it) and R21 (what is
 * left open is ended as what it is) where calls come in an order that makes no sense: each throws,
 * says which call is missing or extra, and changes nothing.
 */
class CallOrderTest {
  private static final long GRANTED = 100;
  private static final long QUOTE = 10;

  private final TestAdmission test = TestAdmission.strict();
  private final AdmissionRequest request = test.request();

  /** Where the object is when the call comes. */
  private enum State {
    IDLE,
    BEGUN,
    ADMITTED,
    STARTED,
    SETTLED,
    CANCELLED,
    CLOSED
  }

  private enum Call {
    BEGIN,
    ADMIT,
    START,
    EXTEND,
    COMPLETE,
    SETTLE,
    CANCEL
  }

  private static final Map<State, List<Call>> ALLOWED = new EnumMap<>(State.class);

  static {
    ALLOWED.put(State.IDLE, List.of(Call.BEGIN));
    ALLOWED.put(State.BEGUN, List.of(Call.ADMIT, Call.CANCEL));
    ALLOWED.put(State.ADMITTED, List.of(Call.START, Call.CANCEL));
    ALLOWED.put(State.STARTED, List.of(Call.EXTEND, Call.COMPLETE, Call.SETTLE));
    ALLOWED.put(State.SETTLED, List.of(Call.BEGIN));
    ALLOWED.put(State.CANCELLED, List.of(Call.BEGIN));
    ALLOWED.put(State.CLOSED, List.of());
  }

  static Stream<Arguments> misuse() {
    final List<Arguments> rows = new ArrayList<>();
    for (final State state : State.values()) {
      for (final Call call : Call.values()) {
        if (!ALLOWED.getOrDefault(state, List.of()).contains(call)) {
          rows.add(Arguments.of(state, call));
        }
      }
    }
    return rows.stream();
  }

  @ParameterizedTest
  @MethodSource("misuse")
  void aCallOutOfOrderThrowsAndChangesNothing(final State state, final Call call) {
    reach(state);
    final String before = everything();

    assertThatIllegalStateException()
        .isThrownBy(() -> make(call))
        .withMessageContaining(call.name().toLowerCase(java.util.Locale.ROOT) + "()")
        .withMessageMatching(".*(call|make a new).*");

    assertThat(everything()).isEqualTo(before);
    // The request goes on as if nothing had been called: every call it allows still works.
    for (final Call allowed : ALLOWED.getOrDefault(state, List.of())) {
      make(allowed);
      break;
    }
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void closingEndsWhatIsOpenAsWhatItIs(final State state) {
    reach(state);
    test.events();

    request.close();
    request.close();

    final List<String> charged = state == State.STARTED ? List.of("0 lease1 10") : List.of();
    assertThat(test.events()).isEqualTo(charged);
    assertThat(test.account.leases().current().freeUnits())
        .isEqualTo(state == State.STARTED || state == State.SETTLED ? GRANTED - QUOTE : GRANTED);
    assertThat(test.admission.usage().pendingRequests()).isZero();
    assertThat(test.admission.usage().startedRequests()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> request.begin(TestAdmission.ACCOUNT, 0))
        .withMessageContaining("after close()");
  }

  @ParameterizedTest
  @MethodSource("allowed")
  void aForeignThreadIsToldAndChangesNothing(final State state, final Call call) {
    reach(state);
    final String before = everything();

    final Throwable told = onAnotherThread(() -> make(call));

    assertThat(told)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(call.name().toLowerCase(java.util.Locale.ROOT) + "()")
        .hasMessageContaining("on thread stranger")
        .hasMessageContaining(Thread.currentThread().getName())
        .hasMessageContaining("call adopt()");
    assertThat(onAnotherThread(request::close)).hasMessageContaining("close() on thread stranger");
    assertThat(everything()).isEqualTo(before);
    make(call);
  }

  /** What an open request allows next, by state. */
  static Stream<Arguments> allowed() {
    return ALLOWED.entrySet().stream()
        .filter(
            entry -> List.of(State.BEGUN, State.ADMITTED, State.STARTED).contains(entry.getKey()))
        .flatMap(
            entry -> entry.getValue().stream().map(call -> Arguments.of(entry.getKey(), call)));
  }

  @Test
  void aRequestIsHandedOverToTheThreadThatAdoptsIt() {
    reach(State.ADMITTED);

    assertThat(
            onAnotherThread(
                () -> {
                  request.adopt();
                  request.start(0);
                }))
        .isNull();

    assertThatIllegalStateException()
        .isThrownBy(request::complete)
        .withMessageContaining("the request is thread stranger's");
    request.adopt();
    request.complete();
    assertThat(test.events()).containsExactly("0 lease1 10");
    assertThat(onAnotherThread(() -> request.begin(TestAdmission.ACCOUNT, 0)))
        .as("an object at rest is anyone's")
        .isNull();
    assertThatIllegalStateException()
        .isThrownBy(() -> request.admit(test.work, 1, 0))
        .withMessageContaining("admit() on thread");
  }

  @Test
  void onlyAnOpenRequestCanBeAdopted() {
    for (final State state : List.of(State.IDLE, State.SETTLED, State.CANCELLED, State.CLOSED)) {
      final TestAdmission own = TestAdmission.strict();
      final AdmissionRequest resting = own.request();
      reach(own, resting, state);
      assertThatIllegalStateException().as(state.name()).isThrownBy(resting::adopt);
    }
  }

  private static @Nullable Throwable onAnotherThread(final Runnable action) {
    final Throwable[] thrown = new Throwable[1];
    final Thread stranger =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (IllegalStateException e) {
                thrown[0] = e;
              }
            },
            "stranger");
    stranger.start();
    try {
      stranger.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return thrown[0];
  }

  @Test
  void cancellingAfterStartSaysHowToBillZero() {
    reach(State.STARTED);

    assertThatIllegalStateException()
        .isThrownBy(request::cancel)
        .withMessage(
            "cancel() after start(): the charge stands; call settle(0) to bill zero units");

    request.settle(0, 0);
    assertThat(test.events()).containsExactly("0 lease1 0");
    assertThat(test.account.leases().current().freeUnits()).isEqualTo(GRANTED);
  }

  @Test
  void negativeUnitsAndItemsAreRefusedAndChangeNothing() {
    reach(State.BEGUN);
    assertUnchanged(() -> request.admit(test.work, -1, 0));
    assertUnchanged(() -> request.admit(test.work, -1, 0));
    request.admit(test.work, QUOTE, 0);
    request.start(0);
    assertUnchanged(() -> request.extend(-1, 0));
    assertUnchanged(() -> request.settle(-1, 0));
    request.complete();

    assertThat(test.events()).containsExactly("0 lease1 10");
  }

  @Test
  void aTimeThatNoRequestIdCanHoldIsRefusedBeforeAnythingIsTaken() {
    reach(State.BEGUN);

    assertUnchanged(() -> request.admit(test.work, QUOTE, -1));

    assertThat(request.admit(test.work, QUOTE, 0)).isNull();
    request.cancel();
    assertThat(test.account.leases().current().freeUnits()).isEqualTo(GRANTED);
  }

  @Test
  void anOpenRequestIsReadAndAnotherIsNot() {
    for (final State state : List.of(State.IDLE, State.BEGUN, State.SETTLED, State.CLOSED)) {
      final TestAdmission own = TestAdmission.strict();
      final AdmissionRequest read = own.request();
      reach(own, read, state);
      assertThatIllegalStateException().as(state.name()).isThrownBy(read::reservedUnits);
      assertThatIllegalStateException().as(state.name()).isThrownBy(read::requestIdHigh);
      assertThatIllegalStateException().as(state.name()).isThrownBy(read::requestIdLow);
    }
    reach(State.ADMITTED);
    assertThat(request.reservedUnits()).isEqualTo(QUOTE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"EXTEND", "COMPLETE", "SETTLE"})
  void whatWasSweptAsAbandonedIsNotSettledAgain(final Call call) {
    reach(State.STARTED);
    assertThat(test.admission.sweepAbandoned()).isEqualTo(1);
    assertThat(test.admission.sweepAbandoned()).isZero();
    assertThat(test.events()).containsExactly("0 lease1 10");
    final String before = everything();

    assertThatIllegalStateException()
        .isThrownBy(() -> make(call))
        .withMessageContaining("ended as abandoned");

    assertThat(everything()).isEqualTo(before);
    assertThat(test.events()).isEmpty();
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).as("it can be used again").isNull();
  }

  @Test
  void theSlotOfASweptRequestIsNotTouchedOnceItIsAnothers() {
    final TestAdmission one = new TestAdmission(AccountTerms.STRICT, 1);
    one.lease(GRANTED);
    final AdmissionRequest swept = one.admitted(QUOTE, 0);
    assertThat(one.admission.sweepAbandoned()).isEqualTo(1);
    final AdmissionRequest next = one.started(QUOTE, 7);

    assertThat(swept.start(99)).isEqualTo(Denial.START_CANCELLED);

    next.complete();
    final UsageSlot recorded = one.admission.usage().poll();
    assertThat(recorded.occurredAtNanos()).isEqualTo(7);
  }

  @Test
  void whatWasSweptBeforeItsStartIsCancelledOnce() {
    reach(State.ADMITTED);
    assertThat(test.admission.sweepAbandoned()).isEqualTo(1);
    assertThat(test.account.leases().current().freeUnits()).isEqualTo(GRANTED);

    assertThat(request.start(0)).isEqualTo(Denial.START_CANCELLED);

    assertThat(test.account.leases().current().freeUnits()).isEqualTo(GRANTED);
    assertThat(test.events()).isEmpty();
    assertThat(test.admission.counters().count(Outcome.ABANDONED_BEFORE_START)).isEqualTo(1);
    assertThat(test.admission.counters().count(Outcome.CANCELLED_BEFORE_START)).isZero();
  }

  private void assertUnchanged(final Runnable refused) {
    final String before = everything();
    assertThatIllegalArgumentException().isThrownBy(refused::run);
    assertThat(everything()).isEqualTo(before);
  }

  private void reach(final State state) {
    test.lease(GRANTED);
    reach(test, request, state);
  }

  private static void reach(
      final TestAdmission test, final AdmissionRequest request, final State state) {
    if (test.account.leases().current() == null) {
      test.lease(GRANTED);
    }
    if (state == State.CLOSED) {
      request.close();
    }
    if (state == State.IDLE || state == State.CLOSED) {
      return;
    }
    assertThat(request.begin(TestAdmission.ACCOUNT, 0)).isNull();
    if (state == State.BEGUN) {
      return;
    }
    assertThat(request.admit(test.work, QUOTE, 0)).isNull();
    if (state == State.CANCELLED) {
      request.cancel();
    }
    if (state == State.ADMITTED || state == State.CANCELLED) {
      return;
    }
    assertThat(request.start(0)).isNull();
    if (state == State.SETTLED) {
      request.complete();
    }
  }

  private void make(final Call call) {
    switch (call) {
      case BEGIN -> request.begin(TestAdmission.ACCOUNT, 0);
      case ADMIT -> request.admit(test.work, QUOTE, 0);
      case START -> request.start(0);
      case EXTEND -> request.extend(1, 0);
      case COMPLETE -> request.complete();
      case SETTLE -> request.settle(QUOTE, 0);
      case CANCEL -> request.cancel();
    }
  }

  /** Everything a call could have changed, in words. */
  private String everything() {
    return test.state();
  }
}
