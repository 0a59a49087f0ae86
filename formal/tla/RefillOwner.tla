----------------------------- MODULE RefillOwner -----------------------------
(***************************************************************************)
(* Who refills one account on one instance: its one lease manager.         *)
(*                                                                         *)
(* The manager has one command under way, or parked because nobody could   *)
(* tell what became of it; a parked one is sent again as it is until the   *)
(* ledger tells. It works while a snapshot in force names the account,     *)
(* lingers when none does, then brings its leases home; named again, it    *)
(* takes up work where it is. At a shutdown it acquires nothing more, then *)
(* brings everything home. An answer that says that its books and the      *)
(* ledger's disagree stops it for good.                                    *)
(*                                                                         *)
(* An attempt whose end is unknown may act until its not_after. What the   *)
(* instance knows of its usage comes later than the ledger's record of it. *)
(* A lease is reclaimed at any moment, as if it had expired; its holder    *)
(* starts nothing on it then (LeaseLifecycle is why). A lease id stands    *)
(* for whichever lease uses it, as in Consolidation.                       *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Leases,        \* ids, 1..m
  Total,         \* units of the account
  Quotes,        \* what a request may cost
  MaxFaults,     \* failed and unknown calls, refusals, reclaims, integrity faults together
  MaxTurns,      \* how often snapshots name the account or cease to, and steps of a shutdown
  Weakened       \* the guards a mutant leaves out; {} is the design

Mutations == {
  "SecondCommand",          \* a command is sent although one is parked
  "UnknownForgotten",       \* a command nobody knows about is not kept
  "ReinstateAfterUnknown",  \* what an unknown consolidation carried goes back on its lease
  "RepeatedUnderANewId",    \* a parked grant is asked for again as another command
  "RefusalBelieved",        \* a refusal counts although an earlier attempt may yet act
  "FoldJudgedLate",         \* whether a fold ended its lease is judged when the answer comes
  "ReplacedWithoutJoin",    \* an account that returns gets a new manager, without the old one's books
  "RetiredAcquires",        \* demand is asked for whatever the manager is up to
  "FaultGoesOn",            \* commands are sent after an integrity fault
  "RejoinForgotten",        \* a retired manager is not told that its account is named again
  "ParkedStays",            \* a parked command is not sent again
  "DisplacedStay"}          \* displaced leases do not go home

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

None  == 0
NoCmd == [state |-> "none"]

VARIABLES
  balance,
  state,     \* ledger: "none", "active" or "ended", of each lease
  left,      \* ledger: units on it, neither returned nor billed
  step,      \* ledger: its last step
  named,     \* a snapshot in force names the account
  retired,   \* membership: it was not named for as long as it lingers
  mode,      \* of all managers: "running", "paused" or "releasing"
  faulted,
  current, displaced,   \* books
  free,      \* units on the counter of each lease
  running,   \* units under work, or spent by it and not recorded yet
  unbooked,  \* units that the ledger has billed, without the instance knowing yet
  returning, \* units off the counter that are to go home
  steps,     \* steps known to have been taken
  wants,     \* the quote that could not be funded, or 0
  cmd,       \* the one command
  ghosts,    \* attempts of unknown end that may still act
  budget     \* what may still happen: faults, turns

vars == <<balance, state, left, step, named, retired, mode, faulted, current, displaced, free,
          running, unbooked, returning, steps, wants, cmd, ghosts, budget>>

ledger   == <<balance, state, left, step>>
member   == <<named, retired, mode>>
books    == <<current, displaced, returning, steps>>
counters == <<free, running, unbooked, wants>>

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

Max(a, b) == IF a > b THEN a ELSE b

Unspent == balance + Sum(left, Leases)

Init ==
  /\ balance   = Total
  /\ state     = [l \in Leases |-> "none"]
  /\ left      = [l \in Leases |-> 0]
  /\ step      = [l \in Leases |-> 0]
  /\ named     = TRUE
  /\ retired   = FALSE
  /\ mode      = "running"
  /\ faulted   = FALSE
  /\ current   = None
  /\ displaced = {}
  /\ free      = [l \in Leases |-> 0]
  /\ running   = [l \in Leases |-> 0]
  /\ unbooked  = [l \in Leases |-> 0]
  /\ returning = [l \in Leases |-> 0]
  /\ steps     = [l \in Leases |-> 0]
  /\ wants     = 0
  /\ cmd       = NoCmd
  /\ ghosts    = {}
  /\ budget    = [faults |-> MaxFaults, turns |-> MaxTurns]

\* What the manager is up to.
Task == IF mode = "running" /\ retired THEN "releasing" ELSE mode

Books == displaced \cup ({current} \ {None})

Fault == budget.faults > 0 /\ budget' = [budget EXCEPT !.faults = @ - 1]
Turn  == budget.turns > 0 /\ budget' = [budget EXCEPT !.turns = @ - 1]

-----------------------------------------------------------------------------
(* Membership and shutdown *)

\* A snapshot that was accepted no longer names the account, or none does.
Unname ==
  /\ named /\ Turn
  /\ named' = FALSE
  /\ UNCHANGED <<ledger, retired, mode, faulted, books, counters, cmd, ghosts>>

\* Named again: work goes on where it is, whatever is still on its way home.
Name ==
  /\ ~named /\ Turn
  /\ named' = TRUE
  /\ retired' = (retired /\ Weak("RejoinForgotten"))
  /\ IF Weak("ReplacedWithoutJoin") /\ retired
     THEN /\ current' = None /\ displaced' = {} /\ cmd' = NoCmd
          /\ UNCHANGED <<returning, steps>>
     ELSE UNCHANGED <<books, cmd>>
  /\ UNCHANGED <<ledger, mode, faulted, counters, ghosts>>

\* It has lingered for long enough.
Retire ==
  /\ ~named /\ ~retired
  /\ retired' = TRUE
  /\ UNCHANGED <<ledger, named, mode, faulted, books, counters, cmd, ghosts, budget>>

ShutDown ==
  /\ mode # "releasing" /\ Turn
  /\ mode' = IF mode = "running" THEN "paused" ELSE "releasing"
  /\ UNCHANGED <<ledger, named, retired, faulted, books, counters, cmd, ghosts>>

-----------------------------------------------------------------------------
(* Requests *)

\* A lease the ledger has ended had lapsed before.
Usable == IF current # None /\ state[current] = "active" THEN free[current] ELSE 0

Debit(quote) ==
  /\ free' = [free EXCEPT ![current] = @ - quote]
  /\ running' = [running EXCEPT ![current] = @ + quote]

Request ==
  /\ mode = "running" /\ ~faulted /\ named /\ wants = 0
  /\ \E quote \in Quotes :
       IF quote <= Usable
       THEN Debit(quote) /\ UNCHANGED wants
       ELSE wants' = quote /\ UNCHANGED <<free, running>>
  /\ UNCHANGED <<ledger, member, faulted, books, unbooked, cmd, ghosts, budget>>

\* The refused request comes again and is funded.
Serve ==
  /\ mode = "running" /\ ~faulted /\ wants > 0 /\ wants <= Usable
  /\ Debit(wants)
  /\ wants' = 0
  /\ UNCHANGED <<ledger, member, faulted, books, unbooked, cmd, ghosts, budget>>

\* Work ends: at zero, or charged and recorded by the ledger.
Settle(l) ==
  /\ running[l] > 0
  /\ running' = [running EXCEPT ![l] = 0]
  /\ \/ /\ free' = [free EXCEPT ![l] = @ + running[l]]
        /\ UNCHANGED <<left, unbooked>>
     \/ /\ left' = [left EXCEPT ![l] = IF state[l] = "active" THEN @ - running[l] ELSE @]
        /\ unbooked' = [unbooked EXCEPT ![l] = @ + running[l]]
        /\ UNCHANGED free
  /\ UNCHANGED <<balance, state, step, member, faulted, books, wants, cmd, ghosts, budget>>

\* The answer to the usage.
Book(l) ==
  /\ unbooked[l] > 0
  /\ unbooked' = [unbooked EXCEPT ![l] = 0]
  /\ UNCHANGED <<ledger, member, faulted, books, free, running, wants, cmd, ghosts, budget>>

-----------------------------------------------------------------------------
(* What the manager sends *)

Idle ==
  /\ cmd = NoCmd \/ (Weak("SecondCommand") /\ cmd.state = "parked")
  /\ ~faulted \/ Weak("FaultGoesOn")

Mentioned(l) ==
  \E c \in ghosts \cup (IF cmd = NoCmd THEN {} ELSE {cmd.body}) : c.lease = l \/ c.new = l

Unused(l) ==
  /\ l \notin Books /\ state[l] # "active" /\ running[l] = 0 /\ unbooked[l] = 0
  /\ ~Mentioned(l)

\* The id of a lease to come.
Fresh(new) ==
  /\ Unused(new) /\ \A l \in Leases : Unused(l) => new <= l
  /\ state' = [state EXCEPT ![new] = "none"]
  /\ step' = [step EXCEPT ![new] = 0]
  /\ UNCHANGED <<balance, left>>

Send(kind, lease, new, number, units, ends) ==
  cmd' = [state |-> "sent", answer |-> "none", final |-> FALSE, unknown |-> FALSE,
          ends |-> ends,
          sentIn |-> IF new = None THEN "any" ELSE Task,
          body |-> [kind |-> kind, lease |-> lease, new |-> new, step |-> number,
                    units |-> units, demand |-> wants]]

MayAcquire == Task = "running" \/ Weak("RetiredAcquires")

\* Nothing else to lease from, or something beside it; for a demand or ahead of one.
Acquire ==
  /\ Idle /\ MayAcquire
  /\ wants = 0 \/ Usable = 0
  /\ \E new \in Leases : Fresh(new) /\ Send("acquire", None, new, 0, 0, FALSE)
  /\ UNCHANGED <<member, faulted, books, counters, ghosts, budget>>

\* Nothing of it runs or waits for its answer: what is carried is all that is left of it.
Settled(l) == running[l] = 0 /\ unbooked[l] = 0

\* For a demand, or because the lease is about to end.
Consolidate ==
  /\ Idle /\ MayAcquire
  /\ current # None /\ free[current] > 0
  /\ wants = 0 \/ wants > Usable
  /\ \E new \in Leases :
       Fresh(new) /\ Send("consolidate", current, new, 0, free[current], Settled(current))
  /\ free' = [free EXCEPT ![current] = 0]
  /\ UNCHANGED <<member, faulted, books, running, unbooked, wants, ghosts, budget>>

\* The current lease lapses, is not needed, or everything goes home.
Displace ==
  /\ Idle /\ current # None
  /\ Task = "releasing" \/ wants = 0
  /\ displaced' = displaced \cup {current}
  /\ current' = None
  /\ UNCHANGED <<ledger, member, faulted, returning, steps, counters, cmd, ghosts, budget>>

\* What is free on a displaced lease goes home, and all of it once nothing is unaccounted for.
WindDown(l, kind) ==
  /\ Idle /\ ~Weak("DisplacedStay")
  /\ l \in displaced
  /\ kind = (IF Settled(l) THEN "release" ELSE "return")
  /\ kind = "release" \/ returning[l] + free[l] > 0
  /\ returning' = [returning EXCEPT ![l] = @ + free[l]]
  /\ free' = [free EXCEPT ![l] = 0]
  /\ Send(kind, l, None, steps[l] + 1, returning[l] + free[l], FALSE)
  /\ UNCHANGED <<ledger, member, faulted, current, displaced, steps, running, unbooked, wants,
                 ghosts, budget>>

\* A parked command goes out again as it is, whatever the manager is up to by now.
Repeat ==
  /\ cmd # NoCmd /\ cmd.state = "parked" /\ ~Weak("ParkedStays")
  /\ IF Weak("RepeatedUnderANewId") /\ cmd.body.kind = "acquire"
     THEN \E new \in Leases :
            Fresh(new) /\ cmd' = [cmd EXCEPT !.state = "sent", !.body.new = new]
     ELSE cmd' = [cmd EXCEPT !.state = "sent"] /\ UNCHANGED ledger
  /\ UNCHANGED <<member, faulted, books, counters, ghosts, budget>>

-----------------------------------------------------------------------------
(* The ledger *)

Taken(c) == IF c.new # None THEN state[c.new] # "none" ELSE step[c.lease] >= c.step
Over(c)  == c.lease # None /\ state[c.lease] = "ended"

\* GrantFormulas: a consolidation restores at least what it folds, and grows to a demand
\* that it can fund.
Grants(c) ==
  LET credited == balance + c.units
      least == IF c.kind = "consolidate" /\ c.demand <= credited
               THEN Max(1, Max(c.units, c.demand)) ELSE Max(1, c.units)
  IN least..credited

Grant(c, reply) ==
  /\ c.kind \in {"acquire", "consolidate"}
  /\ c.kind = "consolidate" => c.units <= left[c.lease]
  /\ IF Grants(c) = {}
     THEN reply = "refused" /\ UNCHANGED ledger
     ELSE /\ reply = "granted"
          /\ \E units \in Grants(c) :
               /\ balance' = balance + c.units - units
               /\ left' = [l \in Leases |-> CASE l = c.new   -> units
                                              [] l = c.lease -> left[l] - c.units
                                              [] OTHER       -> left[l]]
          /\ state' = [l \in Leases |->
               CASE l = c.new -> "active"
                 [] l = c.lease /\ left[l] = c.units -> "ended"
                 [] OTHER -> state[l]]
          /\ UNCHANGED step

Take(c, reply) ==
  /\ c.kind \in {"return", "release"}
  /\ c.step = step[c.lease] + 1 /\ c.units <= left[c.lease]
  /\ reply = "stepped"
  /\ step' = [step EXCEPT ![c.lease] = c.step]
  /\ balance' = balance + c.units
  /\ left' = [left EXCEPT ![c.lease] = IF c.kind = "release" THEN 0 ELSE @ - c.units]
  /\ state' = [state EXCEPT ![c.lease] = IF c.kind = "release" THEN "ended" ELSE @]

Impossible(c) ==
  IF c.kind = "consolidate" THEN c.units > left[c.lease]
  ELSE c.kind # "acquire" /\ (c.step # step[c.lease] + 1 \/ c.units > left[c.lease])

\* What an attempt does, and what its answer is. One that was taken has its receipt.
Act(c, reply) ==
  IF Taken(c) THEN reply = (IF c.new # None THEN "granted" ELSE "stepped") /\ UNCHANGED ledger
  ELSE IF Over(c) THEN reply = "ended" /\ UNCHANGED ledger
  ELSE IF Impossible(c) THEN reply = "disagrees" /\ UNCHANGED ledger
  ELSE Grant(c, reply) \/ Take(c, reply)

Replies == {"granted", "stepped", "ended", "refused", "disagrees"}

\* An answer is final if no other attempt may act after it: its ledger time says so.
Answered(reply) ==
  [cmd EXCEPT !.state = "answered", !.answer = reply, !.final = cmd.body \notin ghosts]

Process ==
  /\ cmd # NoCmd /\ cmd.state = "sent"
  /\ \E reply \in Replies :
       /\ Act(cmd.body, reply)
       /\ cmd' = Answered(reply)
  /\ UNCHANGED <<member, faulted, books, counters, ghosts, budget>>

\* An account that is suspended, too many leases, or a ledger that is wrong.
Refuse ==
  /\ cmd # NoCmd /\ cmd.state = "sent" /\ ~Taken(cmd.body) /\ Fault
  /\ \E reply \in {"refused", "corrupt"} :
       /\ reply = "refused" => cmd.body.new # None
       /\ cmd' = Answered(reply)
  /\ UNCHANGED <<ledger, member, faulted, books, counters, ghosts>>

\* An attempt nobody waits for acts after all, or never will.
GhostActs ==
  /\ \E c \in ghosts :
       /\ ghosts' = ghosts \ {c}
       /\ \E reply \in Replies : Act(c, reply)
  /\ UNCHANGED <<member, faulted, books, counters, cmd, budget>>

GhostExpires ==
  /\ \E c \in ghosts : ghosts' = ghosts \ {c}
  /\ UNCHANGED <<ledger, member, faulted, books, counters, cmd, budget>>

Reclaim(l) ==
  /\ state[l] = "active" /\ Fault
  /\ state' = [state EXCEPT ![l] = "ended"]
  /\ left' = [left EXCEPT ![l] = 0]
  /\ UNCHANGED <<balance, step, member, faulted, books, counters, cmd, ghosts>>

-----------------------------------------------------------------------------
(* Answers *)

\* Nobody knows: it is kept. It may have happened, or it may yet.
Unknown ==
  LET c == cmd.body IN
  /\ cmd # NoCmd /\ cmd.state \in {"sent", "answered"} /\ Fault
  /\ cmd' = IF Weak("UnknownForgotten") THEN NoCmd
            ELSE [cmd EXCEPT !.state = "parked", !.answer = "none", !.final = FALSE, !.unknown = TRUE]
  /\ ghosts' = IF cmd.state = "sent" THEN ghosts \cup {c} ELSE ghosts
  /\ free' = IF Weak("ReinstateAfterUnknown") /\ c.kind = "consolidate"
             THEN [free EXCEPT ![c.lease] = @ + c.units] ELSE free
  /\ UNCHANGED <<ledger, member, faulted, books, running, unbooked, wants>>

\* A refusal proves nothing if an earlier attempt may act after it.
Proves == cmd.answer \in {"granted", "stepped"} \/ cmd.final \/ Weak("RefusalBelieved")

NotYet ==
  /\ cmd # NoCmd /\ cmd.state = "answered" /\ ~Proves
  /\ cmd' = [cmd EXCEPT !.state = "parked", !.answer = "none", !.final = FALSE]
  /\ UNCHANGED <<ledger, member, faulted, books, counters, ghosts, budget>>

\* The lease becomes current if it is of use, else it goes home again. The one that was
\* folded leaves the books if the ledger has ended it in the same step.
Granted ==
  LET new  == cmd.body.new
      old  == cmd.body.lease
      gone == IF old # None /\ (IF Weak("FoldJudgedLate") THEN Settled(old) ELSE cmd.ends)
              THEN {old} ELSE {}
  IN
  /\ cmd.answer = "granted"
  /\ IF Task = "running" /\ state[new] = "active"
     THEN /\ current' = new
          /\ displaced' = Books \ gone
     ELSE /\ current' = IF current \in gone THEN None ELSE current
          /\ displaced' = (displaced \cup {new}) \ gone
  /\ free' = [free EXCEPT ![new] = left[new]]
  /\ steps' = [l \in Leases |-> IF l \in gone THEN 0 ELSE steps[l]]
  /\ UNCHANGED <<returning, faulted>>

Stepped ==
  LET l == cmd.body.lease IN
  /\ cmd.answer = "stepped"
  /\ returning' = [returning EXCEPT ![l] = @ - cmd.body.units]
  /\ steps' = [steps EXCEPT ![l] = IF cmd.body.kind = "release" THEN 0 ELSE @ + 1]
  /\ displaced' = IF cmd.body.kind = "release" THEN displaced \ {l} ELSE displaced
  /\ UNCHANGED <<current, free, faulted>>

\* The ledger has ended the lease already: what was on it is forfeited.
Ended ==
  LET l == cmd.body.lease IN
  /\ cmd.answer = "ended"
  /\ displaced' = displaced \ {l}
  /\ current' = IF current = l THEN None ELSE current
  /\ free' = [free EXCEPT ![l] = 0]
  /\ returning' = [returning EXCEPT ![l] = 0]
  /\ steps' = [steps EXCEPT ![l] = 0]
  /\ UNCHANGED faulted

\* It never happened. What it carried is spendable again if that was known all along, else
\* it goes home.
DidNotHappen ==
  LET c == cmd.body IN
  /\ UNCHANGED <<steps, faulted>>
  /\ IF c.kind # "consolidate"
     THEN UNCHANGED <<current, displaced, free, returning>>
     ELSE IF cmd.unknown
     THEN /\ returning' = [returning EXCEPT ![c.lease] = @ + c.units]
          /\ displaced' = displaced \cup {c.lease}
          /\ current' = IF current = c.lease THEN None ELSE current
          /\ UNCHANGED free
     ELSE /\ free' = [free EXCEPT ![c.lease] = @ + c.units]
          /\ UNCHANGED <<current, displaced, returning>>

\* The books disagree: nothing is spent any more, nor sent.
Stop ==
  /\ cmd.answer \in {"corrupt", "disagrees"}
  /\ faulted' = TRUE
  /\ displaced' = Books
  /\ current' = None
  /\ UNCHANGED <<free, returning, steps>>

Receive ==
  /\ cmd # NoCmd /\ cmd.state = "answered" /\ Proves
  /\ Granted \/ Stepped \/ Ended \/ Stop \/ (cmd.answer = "refused" /\ DidNotHappen)
  /\ cmd' = NoCmd
  /\ LET nameless == {l \in Books \ (displaced' \cup {current'}) :
                        state[l] = "ended" /\ \A c \in ghosts : c.lease # l /\ c.new # l}
     IN /\ state' = [l \in Leases |-> IF l \in nameless THEN "none" ELSE state[l]]
        /\ step' = [l \in Leases |-> IF l \in nameless THEN 0 ELSE step[l]]
  /\ UNCHANGED <<balance, left, member, running, unbooked, wants, ghosts, budget>>

\* Given up before any attempt can have acted.
Fail ==
  /\ cmd # NoCmd /\ cmd.state = "sent" /\ ~cmd.unknown /\ Fault
  /\ DidNotHappen
  /\ cmd' = NoCmd
  /\ UNCHANGED <<ledger, member, running, unbooked, wants, ghosts>>

-----------------------------------------------------------------------------

Next ==
  \/ Unname \/ Name \/ Retire \/ ShutDown
  \/ Request \/ Serve \/ \E l \in Leases : Settle(l) \/ Book(l) \/ Reclaim(l)
  \/ Acquire \/ Consolidate \/ Displace \/ Repeat
  \/ \E l \in Leases, kind \in {"return", "release"} : WindDown(l, kind)
  \/ Process \/ Refuse \/ GhostActs \/ GhostExpires
  \/ Unknown \/ NotYet \/ Receive \/ Fail

Spec == Init /\ [][Next]_vars

\* What does not stop for ever: everything but new requests, faults and turns. One command
\* at a time: strong fairness gives each its turn, the order of the manager's pass in code.
Fair ==
  /\ WF_vars(Process) /\ WF_vars(Receive) /\ WF_vars(NotYet) /\ WF_vars(Repeat)
  /\ WF_vars(GhostExpires)
  /\ SF_vars(Serve) /\ SF_vars(Acquire) /\ SF_vars(Consolidate)
  /\ \A l \in Leases :
       /\ WF_vars(Settle(l)) /\ WF_vars(Book(l))
       /\ \A kind \in {"return", "release"} : SF_vars(WindDown(l, kind))

FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
(* What must hold *)

\* R35. What the ledger has out on this instance is in its books, or is what its open command
\* may have brought: so a report that names both leaves none out.
ALeaseLeavesTheBooksOnlyByReleaseOrReport ==
  \A l \in Leases : state[l] = "active" =>
    l \in Books \/ (cmd # NoCmd /\ cmd.body.new = l)

\* R36. Of all attempts that may still act, those of one command have an effect.
OneCommandAtATime ==
  \A c \in ghosts : Taken(c) \/ Over(c) \/ (cmd # NoCmd /\ cmd.body = c)

\* R35, R36. No unit is with two leases or in two places, and none is lost.
EveryUnitIsInOnePlace ==
  /\ current \notin displaced
  /\ cmd # NoCmd => cmd.body.new \notin Books
  /\ \A l \in Books : state[l] = "active" /\ ~faulted =>
       LET mine    == cmd # NoCmd /\ cmd.body.lease = l
           carried == IF mine /\ cmd.body.kind = "consolidate" /\ ~Taken(cmd.body)
                      THEN cmd.body.units ELSE 0
           home    == IF mine /\ cmd.body.kind # "consolidate" /\ Taken(cmd.body)
                      THEN cmd.body.units ELSE 0
       IN left[l] = free[l] + running[l] + returning[l] + carried - home

\* R36. A manager that is not needed, or paused, asks for nothing new.
NothingIsAcquiredUnlessRunning ==
  cmd # NoCmd /\ cmd.body.new # None => cmd.sentIn = "running"

NothingIsSentAfterAFault == faulted => cmd = NoCmd

\* An honest manager is never told that its books disagree.
TheBooksAgreeWithTheLedger == cmd # NoCmd => cmd.answer # "disagrees"

WhoIsNamedIsNotRetired == named => ~retired

\* R36. However it was retired, an account that is named is served with what there is.
ANamedAccountIsServed ==
  (named /\ wants > 0) ~>
    (wants = 0 \/ wants > Unspent \/ ~named \/ mode # "running" \/ faulted)
=============================================================================
