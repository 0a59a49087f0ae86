------------------------------- MODULE Capacity -------------------------------
(***************************************************************************)
(* What runs at once: a gauge with a ceiling, step by step, and places of  *)
(* a process shared by everyone with a reserve for assured accounts.       *)
(*                                                                         *)
(* The gauge counts in stripes until it first gets a ceiling, and in one   *)
(* word from then on. Each read, write, addition and compare-and-set of an *)
(* entrant is a step of its own; so are the two writes of the publisher.   *)
(* All of them are totally ordered, as Java's volatile accesses are.       *)
(*                                                                         *)
(* In the other half a gauge admits in one step: the first half is why.    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Entrants,      \* who enter the gauge; entrant n uses stripe n mod Stripes
  Stripes,
  Ceilings,      \* what a publisher may set; 0 is none
  MaxLimits,     \* how often it does
  MaxTries,      \* how often each tries to enter
  Assured, BestEffort,   \* requests for execution capacity, of either class
  AccountCeiling, Shared, Reserve,
  Weakened       \* the guards a mutant leaves out; {} is the design

Mutations == {
  "NoSecondLook",            \* who entered a stripe does not look again
  "StripesReadFirst",        \* the stripes are added up before the look at the hand-off
  "CeilingAfterHandOff",     \* the publisher ends the stripes and then sets the ceiling
  "AddedWithoutCompare",     \* the one word is raised whatever it is by now
  "PlaceLeftTwice",          \* leaving twice is not leaving once
  "PlaceLeftBeforeRecord",   \* the place is left before the usage is recorded
  "BestEffortTakesReserve",
  "ReserveFirst",            \* an assured request takes the reserve while there is shared room
  "ReserveLeftAsShared",     \* a place is given back to the shared part wherever it was taken
  "ShedKeepsItsPlace"}       \* a request that is shed stays in its account's gauge

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

VARIABLES
  striped, ceiling, running, stripe,   \* the gauge's words
  publisher,  \* what it is at, and how often it has set a ceiling
  entrant,    \* what each is at: its step, what it read, the token it owns
  account, shared, reserve,            \* gauges of the other half
  request     \* what each is at there, and its token

gauge == <<striped, ceiling, running, stripe, publisher, entrant>>
places == <<account, shared, reserve, request>>
vars == <<gauge, places>>

Requests == Assured \cup BestEffort
\* Tokens of the gauge; the others are the numbers of stripes.
NoToken == -1
Counted == -2

Out(tries) == [at |-> "out", tries |-> tries, seen |-> 0, most |-> 0, sum |-> 0, next |-> 0,
               token |-> NoToken]

Init ==
  /\ striped   = TRUE
  /\ ceiling   = 0
  /\ running   = 0
  /\ stripe    = [s \in 0..(Stripes - 1) |-> 0]
  /\ publisher = [at |-> "idle", limits |-> 0, new |-> 0]
  /\ entrant   = [e \in Entrants |-> Out(0)]
  /\ account   = 0
  /\ shared    = 0
  /\ reserve   = 0
  /\ request   = [r \in Requests |-> [at |-> "out", token |-> "none"]]

-----------------------------------------------------------------------------
(* The gauge: the publisher *)

Set(new) ==
  /\ publisher.at = "idle" /\ publisher.limits < MaxLimits
  /\ publisher' = [at |-> "between", limits |-> publisher.limits + 1, new |-> new]
  /\ IF Weak("CeilingAfterHandOff")
     THEN striped' = (striped /\ new = 0) /\ UNCHANGED ceiling
     ELSE ceiling' = new /\ UNCHANGED striped
  /\ UNCHANGED <<running, stripe, entrant, places>>

HandOff ==
  /\ publisher.at = "between"
  /\ publisher' = [publisher EXCEPT !.at = "idle", !.new = 0]
  /\ IF Weak("CeilingAfterHandOff")
     THEN ceiling' = publisher.new /\ UNCHANGED striped
     ELSE striped' = (striped /\ publisher.new = 0) /\ UNCHANGED ceiling
  /\ UNCHANGED <<running, stripe, entrant, places>>

-----------------------------------------------------------------------------
(* The gauge: an entrant *)

Own(e) == e % Stripes

Step(e, from, changes) ==
  /\ entrant[e].at = from
  /\ entrant' = [entrant EXCEPT ![e] = changes]

RECURSIVE Sum(_)
Sum(s) == IF s < 0 THEN 0 ELSE stripe[s] + Sum(s - 1)

AsksForStripes(e) ==
  /\ entrant[e].tries < MaxTries
  /\ LET me == [entrant[e] EXCEPT !.tries = @ + 1] IN
     Step(e, "out", [me EXCEPT !.at = IF striped THEN "raise" ELSE "word",
                               !.sum = IF Weak("StripesReadFirst") THEN entrant[e].sum ELSE 0])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

\* Only where the stripes are added up too early.
AddsUpFirst(e) ==
  /\ Weak("StripesReadFirst") /\ entrant[e].sum # Sum(Stripes - 1)
  /\ Step(e, "out", [entrant[e] EXCEPT !.sum = Sum(Stripes - 1)])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

RaisesStripe(e) ==
  /\ Step(e, "raise", IF Weak("NoSecondLook")
                      THEN [entrant[e] EXCEPT !.at = "in", !.token = Own(e)]
                      ELSE [entrant[e] EXCEPT !.at = "look"])
  /\ stripe' = [stripe EXCEPT ![Own(e)] = @ + 1]
  /\ UNCHANGED <<striped, ceiling, running, publisher, places>>

LooksAgain(e) ==
  /\ Step(e, "look", IF striped THEN [entrant[e] EXCEPT !.at = "in", !.token = Own(e)]
                     ELSE [entrant[e] EXCEPT !.at = "take back"])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

TakesBack(e) ==
  /\ Step(e, "take back", [entrant[e] EXCEPT !.at = "word"])
  /\ stripe' = [stripe EXCEPT ![Own(e)] = @ - 1]
  /\ UNCHANGED <<striped, ceiling, running, publisher, places>>

ReadsTheWord(e) ==
  /\ Step(e, "word", [entrant[e] EXCEPT !.at = "ceiling", !.seen = running])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

ReadsTheCeiling(e) ==
  /\ Step(e, "ceiling", [entrant[e] EXCEPT
       !.at = IF ceiling = 0 THEN "swap" ELSE IF Weak("StripesReadFirst") THEN "compare" ELSE "stripes",
       !.most = ceiling, !.next = 0])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

\* One after the other: their sum is of no one moment.
ReadsAStripe(e) ==
  /\ LET me == entrant[e] IN
     Step(e, "stripes", [me EXCEPT !.at = IF me.next = Stripes - 1 THEN "compare" ELSE "stripes",
                                   !.sum = @ + stripe[me.next], !.next = (@ + 1) % Stripes])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

Compares(e) ==
  /\ LET me == entrant[e] IN
     Step(e, "compare", IF me.seen + me.sum >= me.most THEN Out(me.tries)
                        ELSE [me EXCEPT !.at = "swap",
                                        !.sum = IF Weak("StripesReadFirst") THEN @ ELSE 0])
  /\ UNCHANGED <<striped, ceiling, running, stripe, publisher, places>>

Swaps(e) ==
  /\ entrant[e].at = "swap"
  /\ IF running = entrant[e].seen \/ Weak("AddedWithoutCompare")
     THEN /\ running' = running + 1
          /\ entrant' = [entrant EXCEPT ![e].at = "in", ![e].token = Counted]
     ELSE /\ entrant' = [entrant EXCEPT ![e].at = "word", ![e].seen = 0, ![e].most = 0]
          /\ UNCHANGED running
  /\ UNCHANGED <<striped, ceiling, stripe, publisher, places>>

\* Whoever ends the request takes its token over, so that it is left once.
Leaves(e) ==
  /\ entrant[e].at = "in" \/ (Weak("PlaceLeftTwice") /\ entrant[e].at = "left")
  /\ IF entrant[e].token = Counted
     THEN running' = running - 1 /\ UNCHANGED stripe
     ELSE stripe' = [stripe EXCEPT ![entrant[e].token] = @ - 1] /\ UNCHANGED running
  /\ entrant' = [entrant EXCEPT ![e] =
       IF Weak("PlaceLeftTwice") /\ entrant[e].at = "in" THEN [@ EXCEPT !.at = "left"]
       ELSE Out(entrant[e].tries)]
  /\ UNCHANGED <<striped, ceiling, publisher, places>>

-----------------------------------------------------------------------------
(* Places: an account's gauge when a request is admitted, capacity when it starts *)

Admit(r) ==
  /\ request[r].at = "out" /\ account < AccountCeiling
  /\ account' = account + 1
  /\ request' = [request EXCEPT ![r].at = "admitted"]
  /\ UNCHANGED <<shared, reserve, gauge>>

TakesReserve(r) ==
  /\ r \in Assured \/ Weak("BestEffortTakesReserve")
  /\ reserve < Reserve

\* Shared first, whoever asks. No queue: what finds nothing is shed, at no cost.
Start(r) ==
  /\ request[r].at = "admitted"
  /\ IF shared < Shared /\ ~(Weak("ReserveFirst") /\ TakesReserve(r))
     THEN /\ shared' = shared + 1
          /\ request' = [request EXCEPT ![r] = [at |-> "running", token |-> "shared"]]
          /\ UNCHANGED <<account, reserve>>
     ELSE IF TakesReserve(r)
     THEN /\ reserve' = reserve + 1
          /\ request' = [request EXCEPT ![r] = [at |-> "running", token |-> "reserve"]]
          /\ UNCHANGED <<account, shared>>
     ELSE /\ account' = account - (IF Weak("ShedKeepsItsPlace") THEN 0 ELSE 1)
          /\ request' = [request EXCEPT ![r].at = "shed"]
          /\ UNCHANGED <<shared, reserve>>
  /\ UNCHANGED gauge

\* It is settled, but its usage is not in the queue yet.
Settle(r) ==
  /\ request[r].at = "running"
  /\ request' = [request EXCEPT ![r].at = "settled"]
  /\ UNCHANGED <<account, shared, reserve, gauge>>

Record(r) ==
  /\ request[r].at \in {"settled", "left"}
  /\ request' = [request EXCEPT ![r].at = IF @ = "settled" THEN "recorded" ELSE "out"]
  /\ UNCHANGED <<account, shared, reserve, gauge>>

\* Capacity first, then the gauge. Last of all, unless the mutant leaves early.
Leave(r) ==
  /\ request[r].at = IF Weak("PlaceLeftBeforeRecord") THEN "settled" ELSE "recorded"
  /\ account' = account - 1
  /\ IF request[r].token = "shared" \/ Weak("ReserveLeftAsShared")
     THEN shared' = shared - 1 /\ UNCHANGED reserve
     ELSE reserve' = reserve - 1 /\ UNCHANGED shared
  /\ request' = [request EXCEPT ![r] =
       [at |-> IF Weak("PlaceLeftBeforeRecord") THEN "left" ELSE "out", token |-> "none"]]
  /\ UNCHANGED gauge

Return(r) ==
  /\ request[r].at = "shed"
  /\ request' = [request EXCEPT ![r].at = "out"]
  /\ UNCHANGED <<account, shared, reserve, gauge>>

-----------------------------------------------------------------------------

Next ==
  \/ \E new \in Ceilings : Set(new)
  \/ HandOff
  \/ \E e \in Entrants :
       \/ AsksForStripes(e) \/ AddsUpFirst(e) \/ RaisesStripe(e) \/ LooksAgain(e) \/ TakesBack(e)
       \/ ReadsTheWord(e) \/ ReadsTheCeiling(e) \/ ReadsAStripe(e) \/ Compares(e) \/ Swaps(e)
       \/ Leaves(e)
  \/ \E r \in Requests :
       \/ Admit(r) \/ Start(r) \/ Settle(r) \/ Record(r) \/ Leave(r) \/ Return(r)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold *)

Inside == {e \in Entrants : entrant[e].at = "in"}
Entered(e) == entrant[e].at # "in" /\ entrant'[e].at = "in"
InsideNext == {e \in Entrants : entrant'[e].at = "in"}

\* R30. After the first ceiling is set, whoever enters finds room below it; what ran
\* before counts and is left alone.
TheHandOffIsExact ==
  [][\A e \in Entrants :
       Entered(e) /\ ~striped /\ publisher.limits = 1 /\ publisher.at = "idle" =>
         Cardinality(InsideNext) <= ceiling]_vars

\* R30. Whatever ceilings follow: no one enters beyond the ceiling that he compared with.
NoOneEntersBeyondTheCeilingHeRead ==
  [][\A e \in Entrants :
       Entered(e) /\ ~striped /\ entrant[e].most > 0 =>
         Cardinality(InsideNext) <= entrant[e].most]_vars

\* R30. Every token is counted once, where it says.
EveryTokenIsCountedOnce ==
  /\ running = Cardinality({e \in Inside : entrant[e].token = Counted})
  /\ \A s \in DOMAIN stripe :
       stripe[s] = Cardinality({e \in Entrants : entrant[e].token = s
                                  \/ (entrant[e].at \in {"look", "take back"} /\ Own(e) = s)})

Hold(token) == Cardinality({r \in Requests : request[r].token = token})

\* R30, R31. A place belongs to one request, from admission or start until it is recorded.
EveryPlaceHasOneOwner ==
  /\ shared = Hold("shared") /\ reserve = Hold("reserve")
  /\ account = Cardinality({r \in Requests :
                 request[r].at \in {"admitted", "running", "settled", "recorded"}})
  /\ shared <= Shared /\ reserve <= Reserve /\ account <= AccountCeiling

\* R30. Released last, after the usage is recorded.
APlaceIsHeldUntilTheRecord ==
  \A r \in Requests : request[r].at # "left"

\* R31.
BestEffortNeverTakesTheReserve ==
  \A r \in BestEffort : request[r].token # "reserve"

TheReserveIsForWhenTheSharedPartIsFull ==
  [][\A r \in Requests :
       request[r].token = "none" /\ request'[r].token = "reserve" => shared = Shared]_vars
=============================================================================
