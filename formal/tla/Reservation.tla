----------------------------- MODULE Reservation -----------------------------
(***************************************************************************)
(* One usage slot and the requests that use it, one after the other: who   *)
(* may start, cancel, sweep and settle a request, and what pays for it.    *)
(*                                                                         *)
(* The slot's word holds the phase, the use of the slot, the fundings, a   *)
(* stop request and the busy bit; every move of it is one compare-and-set. *)
(* A step below is one such move, or what one thread does between two of   *)
(* them to counters that are atomic each.                                  *)
(*                                                                         *)
(* Each leg has an account, a lease of so many units, and overage if the   *)
(* account is elastic. A request costs one unit on every leg.              *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Legs,        \* 1..n
  Workers,     \* who run requests in the slot
  MaxUses,     \* how many requests use the slot
  Granted,     \* units of each leg's lease
  OverageCap,
  Weakened     \* the guards a mutant leaves out; {} is the design

Mutations == {
  "StartIsNoCompareAndSet",       \* start writes the word it made of one it read before
  "SettleIsNoCompareAndSet",      \* likewise the sweep of abandoned requests
  "GenerationUnchecked",          \* a handle looks at the phase and not at the use
  "CreditedBeforeTheClaim",       \* the lapse fallback returns the lease's units first
  "RefundedByLoserAndCanceller",  \* who cancels refunds the debits of a start that races it
  "RefundReadsTheSlot",           \* a start that lost looks into the slot for what it debited
  "OneLegFallsBackAlone",         \* a leg that cannot fall back starts on its lapsed lease
  "LapseIgnored",                 \* start does not look at the leases
  "BusyIgnored",                  \* the sweep takes a request whose parts are changing
  "StopOverwritten",              \* the busy bit is cleared in the word that set it
  "RefusedLegsKept"}              \* a refusal keeps what the legs before it debited

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

Uses == 1..MaxUses

VARIABLES
  word,       \* phase, use, stop, busy, and what funds each leg
  part,       \* the slot: what pays for each leg; "none" once it went back, or is billed
  free,       \* the slot lies on the stack of free slots
  recorded,   \* how often it lies in the queue of settled ones
  lease,      \* of each leg: usable, and its free units
  overage,    \* of each leg: units used, and units of it that are committed
  elastic,    \* legs whose accounts may use overage: if not all, a later one cannot fall back
  billed,     \* of each leg: units emitted, by lease and by overage
  worker,     \* what each is at, in which use, which legs it saw lapsed and debited overage for
  canceller,  \* the one who holds a handle
  sweeper,    \* the one who ends abandoned requests
  outcome,    \* history: what was decided of each use
  emitted,    \* history: events of each use
  lapsedAt    \* history: legs the last start saw lapsed

Alike == Permutations(Workers)

vars == <<word, part, free, recorded, lease, overage, elastic, billed,
          worker, canceller, sweeper, outcome, emitted, lapsedAt>>

Least(S) == CHOOSE x \in S : \A y \in S : x <= y
One(condition) == IF condition THEN 1 ELSE 0
Nothing == [leg \in Legs |-> "none"]

Idle(w) == [worker EXCEPT ![w] =
  [at |-> "idle", use |-> 0, careful |-> FALSE, lapsed |-> {}, debited |-> {}, moved |-> FALSE]]
At(w, step) == [worker EXCEPT ![w].at = step]

Init ==
  /\ word     = [phase |-> "released", use |-> 0, stop |-> FALSE, busy |-> FALSE, by |-> Nothing]
  /\ part     = Nothing
  /\ free     = TRUE
  /\ recorded = 0
  /\ lease    = [leg \in Legs |-> [usable |-> TRUE, free |-> Granted]]
  /\ overage  = [leg \in Legs |-> [used |-> 0, committed |-> 0]]
  /\ elastic \in {1..last : last \in Legs}
  /\ billed   = [leg \in Legs |-> [lease |-> 0, overage |-> 0]]
  /\ worker   = [w \in Workers |->
       [at |-> "idle", use |-> 0, careful |-> FALSE, lapsed |-> {}, debited |-> {}, moved |-> FALSE]]
  /\ canceller = [at |-> "none", use |-> 0]
  /\ sweeper  = [at |-> "idle", use |-> 0]
  /\ outcome  = [u \in Uses |-> {}]
  /\ emitted  = [u \in Uses |-> 0]
  /\ lapsedAt = {}

-----------------------------------------------------------------------------
(* The moves of the word *)

Is(use, phase) == word.use = use /\ word.phase = phase

Release(use) ==
  /\ word' = [word EXCEPT !.phase = "released"]
  /\ outcome' = [outcome EXCEPT ![word.use] = @ \cup {"released"}]

Settle(use) == word' = [word EXCEPT !.phase = "settled"]

\* Whoever released a request returns what its parts say, and last of all the slot.
GiveBack ==
  LET raced == IF Weak("RefundedByLoserAndCanceller")
               THEN UNION {worker[w].debited : w \in {v \in Workers : worker[v].use = word.use}}
               ELSE {} IN
  /\ lease'   = [leg \in Legs |-> [lease[leg] EXCEPT !.free = @ + One(part[leg] = "lease")]]
  /\ overage' = [leg \in Legs |-> [overage[leg] EXCEPT
       !.used = @ - One(part[leg] = "overage") - One(leg \in raced)]]
  /\ part'    = Nothing
  /\ free'    = TRUE

-----------------------------------------------------------------------------
(* A worker: admission *)

CanDebitOverage(leg) == leg \in elastic /\ overage[leg].used < OverageCap

Take(w) ==
  /\ worker[w].at = "idle" /\ free /\ word.use < MaxUses
  /\ free' = FALSE
  /\ worker' = At(w, "funding")
  /\ UNCHANGED <<word, part, recorded, lease, overage, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

\* Legs are funded one by one, by the lease, else by overage. If one is refused, all go back.
Fund(w) ==
  LET unfunded == {leg \in Legs : part[leg] = "none"}
      leg == Least(unfunded) IN
  /\ worker[w].at = "funding" /\ unfunded # {}
  /\ \/ /\ lease[leg].usable /\ lease[leg].free > 0
        /\ lease' = [lease EXCEPT ![leg].free = @ - 1]
        /\ part' = [part EXCEPT ![leg] = "lease"]
        /\ UNCHANGED <<overage, free, worker>>
     \/ /\ ~(lease[leg].usable /\ lease[leg].free > 0) /\ CanDebitOverage(leg)
        /\ overage' = [overage EXCEPT ![leg].used = @ + 1]
        /\ part' = [part EXCEPT ![leg] = "overage"]
        /\ UNCHANGED <<lease, free, worker>>
     \/ /\ ~(lease[leg].usable /\ lease[leg].free > 0) /\ ~CanDebitOverage(leg)
        /\ IF Weak("RefusedLegsKept")
           THEN part' = Nothing /\ free' = TRUE /\ UNCHANGED <<lease, overage>>
           ELSE GiveBack
        /\ worker' = Idle(w)
  /\ UNCHANGED <<word, recorded, elastic, billed, canceller, sweeper, outcome, emitted, lapsedAt>>

Open(w) ==
  /\ worker[w].at = "funding" /\ \A leg \in Legs : part[leg] # "none"
  /\ word' = [phase |-> "pending", use |-> word.use + 1, stop |-> FALSE, busy |-> FALSE, by |-> part]
  /\ worker' = [worker EXCEPT ![w].at = "admitted", ![w].use = word.use + 1]
  /\ lapsedAt' = {}
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, canceller, sweeper,
                 outcome, emitted>>

Cancel(w) ==
  /\ worker[w].at \in {"admitted", "refused"}
  /\ IF Is(worker[w].use, "pending")
     THEN Release(worker[w].use) /\ worker' = At(w, "giving")
     ELSE worker' = Idle(w) /\ UNCHANGED <<word, outcome>>
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, canceller, sweeper,
                 emitted, lapsedAt>>

WorkerGives(w) ==
  /\ worker[w].at = "giving"
  /\ GiveBack
  /\ worker' = Idle(w)
  /\ UNCHANGED <<word, recorded, elastic, billed, canceller, sweeper, outcome, emitted, lapsedAt>>

-----------------------------------------------------------------------------
(* A worker: start. The slot may be another request's by now; only the claim tells. *)

Look(w) ==
  /\ worker[w].at = "admitted"
  /\ LET lapsed == {leg \in Legs : part[leg] = "lease" /\ ~lease[leg].usable}
         plain  == \A leg \in Legs : part[leg] # "overage" /\ leg \notin lapsed IN
     worker' = [worker EXCEPT
       ![w].at = IF plain \/ Weak("LapseIgnored") THEN "claiming" ELSE "debiting",
       ![w].careful = ~plain, ![w].lapsed = lapsed]
  /\ UNCHANGED <<word, part, free, recorded, lease, overage, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

\* Revocable debits, before the claim: for every lapsed leg, or for none.
Debit(w) ==
  LET left == worker[w].lapsed \ worker[w].debited
      leg  == Least(left) IN
  /\ worker[w].at = "debiting"
  /\ IF left = {}
     THEN worker' = At(w, "claiming") /\ UNCHANGED overage
     ELSE IF CanDebitOverage(leg)
     THEN /\ overage' = [overage EXCEPT ![leg].used = @ + 1]
          /\ worker' = [worker EXCEPT ![w].debited = @ \cup {leg}]
     ELSE IF Weak("OneLegFallsBackAlone") /\ worker[w].debited # {}
     THEN worker' = At(w, "claiming") /\ UNCHANGED overage
     ELSE /\ overage' = [l \in Legs |->
               [overage[l] EXCEPT !.used = @ - One(l \in worker[w].debited)]]
          /\ worker' = [worker EXCEPT ![w].at = "refused", ![w].debited = {}]
  /\ UNCHANGED <<word, part, free, recorded, lease, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

\* Makes overage pay for the legs it was debited for, and returns what their leases had paid.
FallBack(w) ==
  LET moved == worker[w].debited IN
  /\ part'  = [leg \in Legs |-> IF leg \in moved THEN "overage" ELSE part[leg]]
  /\ lease' = [leg \in Legs |-> [lease[leg] EXCEPT
       !.free = @ + One(leg \in moved /\ part[leg] = "lease")]]

EarlyFallBack(w) ==
  /\ Weak("CreditedBeforeTheClaim")
  /\ worker[w].at = "claiming" /\ worker[w].debited # {} /\ ~worker[w].moved
  /\ FallBack(w)
  /\ worker' = [worker EXCEPT ![w].moved = TRUE]
  /\ UNCHANGED <<word, free, recorded, overage, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

Claim(w) ==
  /\ worker[w].at = "claiming"
  /\ IF Is(worker[w].use, "pending") \/ (Weak("StartIsNoCompareAndSet") /\ word.use = worker[w].use)
     THEN /\ word' = [word EXCEPT !.phase = "started", !.busy = worker[w].careful,
            !.by = [leg \in Legs |-> IF leg \in worker[w].debited THEN "overage" ELSE @[leg]]]
          /\ outcome' = [outcome EXCEPT ![word.use] = @ \cup {"started"}]
          /\ lapsedAt' = worker[w].lapsed
          /\ worker' = At(w, IF worker[w].careful THEN "won" ELSE "running")
     ELSE worker' = At(w, "lost") /\ UNCHANGED <<word, outcome, lapsedAt>>
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, canceller, sweeper, emitted>>

\* A claim that lost refunds its own debits; everything else is the other's to return.
Lost(w) ==
  /\ worker[w].at = "lost"
  /\ overage' = [leg \in Legs |-> [overage[leg] EXCEPT
       !.used = @ - One(leg \in worker[w].debited
                        /\ (Weak("RefundReadsTheSlot") => part[leg] # "none"))]]
  /\ worker' = Idle(w)
  /\ UNCHANGED <<word, part, free, recorded, lease, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

Won(w) ==
  /\ worker[w].at = "won"
  /\ overage' = [leg \in Legs |-> [overage[leg] EXCEPT
       !.committed = @ + One(word.by[leg] = "overage")]]
  /\ IF worker[w].moved THEN UNCHANGED <<part, lease>> ELSE FallBack(w)
  /\ worker' = [worker EXCEPT ![w].at = "leaving", ![w].debited = {}]
  /\ UNCHANGED <<word, free, recorded, elastic, billed, canceller, sweeper, outcome, emitted, lapsedAt>>

Leave(w) ==
  /\ worker[w].at = "leaving"
  /\ word' = [word EXCEPT !.busy = FALSE, !.stop = IF Weak("StopOverwritten") THEN FALSE ELSE @]
  /\ worker' = At(w, "running")
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

\* At what it reserved, or at zero; or it was swept meanwhile.
Complete(w) ==
  /\ worker[w].at = "running"
  /\ IF Is(worker[w].use, "started")
     THEN /\ Settle(worker[w].use)
          /\ worker' = At(w, "recording")
          /\ \/ UNCHANGED <<part, lease, overage>>
             \/ /\ lease' = [leg \in Legs |->
                     [lease[leg] EXCEPT !.free = @ + One(part[leg] = "lease")]]
                /\ overage' = [leg \in Legs |->
                     [used      |-> overage[leg].used - One(part[leg] = "overage"),
                      committed |-> overage[leg].committed - One(part[leg] = "overage")]]
                /\ part' = Nothing
     ELSE worker' = Idle(w) /\ UNCHANGED <<word, part, lease, overage>>
  /\ UNCHANGED <<free, recorded, elastic, billed, canceller, sweeper, outcome, emitted, lapsedAt>>

WorkerRecords(w) ==
  /\ worker[w].at = "recording"
  /\ recorded' = recorded + 1
  /\ worker' = Idle(w)
  /\ UNCHANGED <<word, part, free, lease, overage, elastic, billed, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

-----------------------------------------------------------------------------
(* The others *)

\* One way: a lease that was seen lapsed stays so.
Lapse(leg) ==
  /\ lease[leg].usable
  /\ lease' = [lease EXCEPT ![leg].usable = FALSE]
  /\ UNCHANGED <<word, part, free, recorded, overage, elastic, billed, worker, canceller, sweeper,
                 outcome, emitted, lapsedAt>>

\* The handle is good for the use it was made in, and may be called at any later time.
Split(w) ==
  /\ canceller.at = "none" /\ worker[w].at \in {"admitted", "running"}
  /\ canceller' = [at |-> "ready", use |-> worker[w].use]
  /\ UNCHANGED <<word, part, free, recorded, lease, overage, elastic, billed, worker, sweeper,
                 outcome, emitted, lapsedAt>>

HandleCancels ==
  /\ canceller.at = "ready"
  /\ IF Is(canceller.use, "pending") \/ (Weak("GenerationUnchecked") /\ word.phase = "pending")
     THEN Release(canceller.use) /\ canceller' = [canceller EXCEPT !.at = "giving"]
     ELSE canceller' = [canceller EXCEPT !.at = "stopping"] /\ UNCHANGED <<word, outcome>>
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, worker, sweeper,
                 emitted, lapsedAt>>

HandleStops ==
  /\ canceller.at = "stopping"
  /\ IF word.use = canceller.use
     THEN /\ word' = [word EXCEPT !.stop = TRUE]
          /\ canceller' = [canceller EXCEPT
               !.at = IF word.phase = "started" THEN "too late" ELSE "over"]
     ELSE canceller' = [canceller EXCEPT !.at = "over"] /\ UNCHANGED word
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, worker, sweeper,
                 outcome, emitted, lapsedAt>>

HandleGives ==
  /\ canceller.at = "giving"
  /\ GiveBack
  /\ canceller' = [canceller EXCEPT !.at = "cancelled"]
  /\ UNCHANGED <<word, recorded, elastic, billed, worker, sweeper, outcome, emitted, lapsedAt>>

Swept == [at |-> "idle", use |-> 0]

\* Looks at any moment, and acts on what it saw at a later one.
SweepLooks ==
  /\ sweeper.at = "idle" /\ word.phase \in {"pending", "started"}
  /\ sweeper' = [at |-> "releasing", use |-> word.use]
  /\ UNCHANGED <<word, part, free, recorded, lease, overage, elastic, billed, worker, canceller,
                 outcome, emitted, lapsedAt>>

SweepReleases ==
  /\ sweeper.at = "releasing"
  /\ IF Is(sweeper.use, "pending")
     THEN Release(sweeper.use) /\ sweeper' = [sweeper EXCEPT !.at = "giving"]
     ELSE /\ sweeper' = IF Is(sweeper.use, "started")
                        THEN [sweeper EXCEPT !.at = "settling"] ELSE Swept
          /\ UNCHANGED <<word, outcome>>
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, worker, canceller,
                 emitted, lapsedAt>>

SweepSettles ==
  /\ sweeper.at = "settling"
  /\ IF /\ Is(sweeper.use, "started") \/ (Weak("SettleIsNoCompareAndSet") /\ word.use = sweeper.use)
        /\ ~word.busy \/ Weak("BusyIgnored")
     THEN Settle(sweeper.use) /\ sweeper' = [sweeper EXCEPT !.at = "recording"]
     ELSE sweeper' = Swept /\ UNCHANGED word
  /\ UNCHANGED <<part, free, recorded, lease, overage, elastic, billed, worker, canceller,
                 outcome, emitted, lapsedAt>>

SweepGives ==
  /\ sweeper.at = "giving"
  /\ GiveBack
  /\ sweeper' = Swept
  /\ UNCHANGED <<word, recorded, elastic, billed, worker, canceller, outcome, emitted, lapsedAt>>

SweepRecords ==
  /\ sweeper.at = "recording"
  /\ recorded' = recorded + 1
  /\ sweeper' = Swept
  /\ UNCHANGED <<word, part, free, lease, overage, elastic, billed, worker, canceller,
                 outcome, emitted, lapsedAt>>

\* The queue's consumer: the event has a durable answer, and the slot is free again.
Emit ==
  /\ recorded > 0
  /\ recorded' = recorded - 1
  /\ emitted' = [emitted EXCEPT ![word.use] = @ + 1]
  /\ billed' = [leg \in Legs |->
       [lease   |-> billed[leg].lease + One(part[leg] = "lease"),
        overage |-> billed[leg].overage + One(part[leg] = "overage")]]
  /\ part' = Nothing
  /\ free' = TRUE
  /\ UNCHANGED <<word, lease, overage, elastic, worker, canceller, sweeper, outcome, lapsedAt>>

-----------------------------------------------------------------------------

Next ==
  \/ \E w \in Workers :
       \/ Take(w) \/ Fund(w) \/ Open(w) \/ Cancel(w) \/ WorkerGives(w)
       \/ Look(w) \/ Debit(w) \/ EarlyFallBack(w) \/ Claim(w) \/ Lost(w) \/ Won(w) \/ Leave(w)
       \/ Complete(w) \/ WorkerRecords(w) \/ Split(w)
  \/ \E leg \in Legs : Lapse(leg)
  \/ HandleCancels \/ HandleStops \/ HandleGives
  \/ SweepLooks \/ SweepReleases \/ SweepSettles \/ SweepGives \/ SweepRecords
  \/ Emit

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold *)

\* R6. Start and release of one use exclude each other.
OneOfStartAndReleaseWins ==
  \A u \in Uses : Cardinality(outcome[u]) <= 1

\* R6. A handle ends the use it was made in or none, and says what became of it.
AHandleTellsTheTruthAboutItsOwnRequest ==
  /\ canceller.at \in {"giving", "cancelled"} => "released" \in outcome[canceller.use]
  /\ canceller.at = "giving" => word.use = canceller.use
  /\ canceller.at = "too late" => "started" \in outcome[canceller.use]

\* R6. Also when it lost.
AStopRequestStands ==
  canceller.at = "too late" /\ word.use = canceller.use => word.stop

\* R5, R8. What was debited is with a request, billed, or went back, once.
EveryUnitOfALeaseIsInOnePlace ==
  \A leg \in Legs :
    lease[leg].free + One(part[leg] = "lease") + billed[leg].lease = Granted

EveryUnitOfOverageIsInOnePlace ==
  \A leg \in Legs :
    overage[leg].used =
      One(part[leg] = "overage") + billed[leg].overage
      + Cardinality({w \in Workers : leg \in worker[w].debited /\ ~worker[w].moved})

\* R1, R4.
OverageStaysWithinTheCap ==
  \A leg \in Legs :
    /\ 0 <= overage[leg].committed /\ overage[leg].committed <= overage[leg].used
    /\ overage[leg].used <= IF leg \in elastic THEN OverageCap ELSE 0

\* R8.
AnAdmittedRequestIsFundedOnEveryLeg ==
  word.phase = "pending" =>
    \A leg \in Legs : word.by[leg] # "none"

\* R13. What was seen lapsed pays for nothing; with all legs or none.
NoLegStartsOnALapsedLease ==
  word.phase \in {"started", "settled"} => \A leg \in lapsedAt : word.by[leg] = "overage"

\* R4, R13. Once it is settled the parts are what the claim said, or went back.
TheEventNamesWhatPays ==
  word.phase = "settled" /\ emitted[word.use] = 0 =>
    \A leg \in Legs : part[leg] \in {word.by[leg], "none"}

\* R20, R21.
TheEventIsEmittedOnce ==
  /\ recorded <= 1
  /\ \A u \in Uses : emitted[u] <= 1 /\ (emitted[u] = 1 => outcome[u] = {"started"})

ACommittedRequestIsEmittedOrInItsSlot ==
  \A u \in Uses : "started" \in outcome[u] =>
    emitted[u] = 1 \/ (word.use = u /\ word.phase \in {"started", "settled"} /\ ~free)
=============================================================================
