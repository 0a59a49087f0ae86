---------------------------- MODULE Consolidation ----------------------------
(***************************************************************************)
(* How a funded unit is reached: drain and return, recall, parking.        *)
(*                                                                         *)
(* One account, one policy of grants (target 1, minimum 1, shrink 2), some *)
(* holders. A holder whose lease cannot fund a quote takes the free units  *)
(* off its counter and asks the ledger to fold them into a larger lease;   *)
(* what running work holds stays on the old one. If the balance cannot     *)
(* fund the quote but the units out on leases could, the ledger notes a    *)
(* recall, and other holders return tails they do not use.                 *)
(*                                                                         *)
(* A call may fail, or nobody may know; then it is parked until the ledger *)
(* tells, by its receipt or by a checked answer after its not_after. A     *)
(* lease id stands for whichever lease uses it: once nothing is on it and  *)
(* nobody names it, the next lease may.                                    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Holders,       \* numbers, 1..n
  Demanding,     \* holders whose requests may ask more than their lease has left
  Leases,        \* ids, 1..m with m > n
  Total,         \* units of the account, dealt out in every possible way at the start
  Quotes,        \* what a request may cost
  MaxRequests,
  MaxFaults,     \* failed calls, unknown calls, lost recalls and crashes together
  MaxCrossings,  \* period boundaries; every unit is allowance
  Allowance,     \* units a boundary deposits
  Weakened       \* the guards a mutant leaves out; {} is the design

Mutations == {
  "ReinstateAfterUnknown",  \* what an unknown call drained goes back on its lease
  "ParkedForgotten",        \* what an unknown call drained goes nowhere
  "DrainTakesRunningWork",  \* a drain takes what running work holds as well
  "DrainWithoutClearing",   \* a drain reads the counter and takes nothing off it
  "FloorIsDrained",         \* the floor is what was drained, not what was restored
  "FoldWithoutGrant",       \* fold and grant are two transactions
  "CapabilityUnchecked",    \* the ledger folds more than the lease has left
  "DemandIgnored",          \* a grant does not grow to the quote it could fund
  "NoRecall",               \* a refusal leaves no note
  "TailsKept",              \* holders do not honour the note
  "NoBackstop"}             \* a holder asks once

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

None   == 0
NoCall == [kind |-> "none"]
NoNote == [units |-> 0, by |-> None]

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

VARIABLES
  balance,
  left,      \* ledger: units on each lease, neither returned nor billed
  old,       \* ledger: the lease is of a past period
  note,      \* ledger: the recall, a hint in memory
  out,       \* ledger: units billed, lost or expired
  owner,     \* whose lease it is
  free,      \* holder: units on the counter of each lease
  running,   \* holder: units under running work
  current,   \* holder: the lease it debits
  wants,     \* holder: the quote it could not fund, or 0
  touched,   \* holder: the lease was used within the last interval
  asked,     \* holder: it has called for this quote
  call,      \* holder: its one command in flight
  dead,      \* holders that crashed
  budget     \* what may still happen: requests, faults, crossings

vars == <<balance, left, old, note, out, owner, free, running, current, wants, touched,
          asked, call, dead, budget>>

ledger == <<balance, left, old, out, owner>>
work   == <<free, running, current, wants, touched, asked>>

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

Outstanding == Sum(left, Leases)
Remaining   == balance + Outstanding

\* Each holder starts with the lease of its own number, perhaps an empty one.
Init ==
  /\ owner   = [l \in Leases |-> IF l \in Holders THEN l ELSE None]
  /\ current = [h \in Holders |-> h]
  /\ left \in [Leases -> 0..Total]
  /\ \A l \in Leases : owner[l] = None => left[l] = 0
  /\ Outstanding <= Total
  /\ balance = Total - Outstanding
  /\ old     = [l \in Leases |-> FALSE]
  /\ note    = NoNote
  /\ out     = 0
  /\ free    = left
  /\ running = [l \in Leases |-> 0]
  /\ wants   = [h \in Holders |-> 0]
  /\ touched = [h \in Holders |-> FALSE]
  /\ asked   = [h \in Holders |-> FALSE]
  /\ call    = [h \in Holders |-> NoCall]
  /\ dead    = {}
  /\ budget  = [requests |-> MaxRequests, faults |-> MaxFaults, crossings |-> MaxCrossings]

-----------------------------------------------------------------------------
(* Requests *)

Live(h) == h \notin dead

\* A request the lease can fund runs; one it cannot rings for a consolidation.
Request(h) ==
  /\ Live(h) /\ wants[h] = 0 /\ budget.requests > 0
  /\ \E quote \in Quotes : LET l == current[h] IN
       IF quote <= free[l]
       THEN /\ free' = [free EXCEPT ![l] = @ - quote]
            /\ running' = [running EXCEPT ![l] = @ + quote]
            /\ touched' = [touched EXCEPT ![h] = TRUE]
            /\ UNCHANGED wants
       ELSE /\ h \in Demanding
            /\ wants' = [wants EXCEPT ![h] = quote]
            /\ UNCHANGED <<free, running, touched>>
  /\ budget' = [budget EXCEPT !.requests = @ - 1]
  /\ UNCHANGED <<ledger, note, current, asked, call, dead>>

\* The refused request comes again and is funded.
Serve(h) ==
  LET l == current[h] IN
  /\ Live(h) /\ wants[h] > 0 /\ free[l] >= wants[h]
  /\ free' = [free EXCEPT ![l] = @ - wants[h]]
  /\ running' = [running EXCEPT ![l] = @ + wants[h]]
  /\ wants' = [wants EXCEPT ![h] = 0]
  /\ touched' = [touched EXCEPT ![h] = TRUE]
  /\ asked' = [asked EXCEPT ![h] = FALSE]
  /\ note' = IF note.by = h THEN NoNote ELSE note
  /\ UNCHANGED <<ledger, current, call, dead, budget>>

\* Work ends, charged in full and reported, or at zero.
Settle(l) ==
  /\ running[l] > 0
  /\ running' = [running EXCEPT ![l] = 0]
  /\ \/ /\ left' = [left EXCEPT ![l] = @ - running[l]]
        /\ out' = out + running[l]
        /\ UNCHANGED free
     \/ /\ free' = [free EXCEPT ![l] = @ + running[l]]
        /\ UNCHANGED <<left, out>>
  /\ UNCHANGED <<balance, old, note, owner, current, wants, touched, asked, call, dead, budget>>

Interval(h) ==
  /\ touched[h]
  /\ touched' = [touched EXCEPT ![h] = FALSE]
  /\ UNCHANGED <<ledger, note, free, running, current, wants, asked, call, dead, budget>>

-----------------------------------------------------------------------------
(* The holder's calls. Free units leave the counter in one atomic step. *)

Drain(h, l, kind) ==
  /\ call' = [call EXCEPT ![h] =
       [kind |-> kind, lease |-> l, demand |-> wants[h], state |-> "sent", parked |-> FALSE,
        units |-> free[l] + (IF Weak("DrainTakesRunningWork") THEN running[l] ELSE 0),
        receipt |-> None, granted |-> 0]]
  /\ free' = IF Weak("DrainWithoutClearing") THEN free ELSE [free EXCEPT ![l] = 0]

\* Again at every backstop while the quote is unmet.
Consolidate(h) ==
  LET l == current[h] IN
  /\ Live(h) /\ call[h] = NoCall /\ wants[h] > free[l]
  /\ ~asked[h] \/ ~Weak("NoBackstop")
  /\ Drain(h, l, "consolidate")
  /\ asked' = [asked EXCEPT ![h] = Weak("NoBackstop")]
  /\ UNCHANGED <<ledger, note, running, current, wants, touched, dead, budget>>

\* Another holder needs units: a tail unused within the last interval goes back.
Honour(h) ==
  LET l == current[h] IN
  /\ Live(h) /\ call[h] = NoCall /\ ~Weak("TailsKept")
  /\ note.by \notin {None, h} /\ ~touched[h] /\ free[l] > 0
  /\ Drain(h, l, "return")
  /\ UNCHANGED <<ledger, note, running, current, wants, touched, asked, dead, budget>>

\* What settled work leaves on a displaced lease goes back too.
HandBack(h, l) ==
  /\ Live(h) /\ call[h] = NoCall
  /\ owner[l] = h /\ current[h] # l /\ free[l] > 0
  /\ Drain(h, l, "return")
  /\ UNCHANGED <<ledger, note, running, current, wants, touched, asked, dead, budget>>

-----------------------------------------------------------------------------
(* The ledger *)

Unused(l) ==
  /\ left[l] = 0 /\ free[l] = 0 /\ running[l] = 0
  /\ \A h \in Holders :
       /\ current[h] # l
       /\ call[h] # NoCall => call[h].lease # l /\ call[h].receipt # l

\* What comes back from a lease of a past period has expired.
Restored(c) == IF old[c.lease] THEN 0 ELSE c.units

Possible(c) == c.units <= left[c.lease] \/ Weak("CapabilityUnchecked")

\* GrantFormulas.consolidate with target 1, minimum 1, shrink 2.
GrantOf(c, credited) ==
  LET floor  == IF Weak("FloorIsDrained") THEN c.units ELSE Restored(c)
      policy == Min(1, Min(Max(1, credited \div 2), credited))
      grant  == Max(floor, policy)
  IN IF c.demand <= credited /\ ~Weak("DemandIgnored") THEN Max(grant, c.demand) ELSE grant

\* A quote that the grant leaves unmet and units held elsewhere could fund.
NoteOf(h, granted) ==
  IF call[h].demand > granted /\ call[h].demand <= Remaining /\ ~Weak("NoRecall")
  THEN [units |-> call[h].demand, by |-> h] ELSE note

TakeConsolidation(h) ==
  LET c == call[h]
      credited == balance + Restored(c)
      grant == GrantOf(c, credited)
  IN
  /\ c.kind = "consolidate" /\ c.state = "sent"
  /\ Possible(c) /\ credited > 0
  /\ \E new \in Leases :
       /\ Unused(new) /\ \A l \in Leases : Unused(l) => new <= l
       /\ IF Weak("FoldWithoutGrant")
          THEN /\ call' = [call EXCEPT ![h].state = "folded"]
               /\ balance' = credited
               /\ left' = [left EXCEPT ![c.lease] = @ - c.units]
               /\ UNCHANGED <<old, owner>>
          ELSE /\ call' = [call EXCEPT ![h].state = "taken", ![h].receipt = new,
                                       ![h].granted = grant]
               /\ balance' = credited - grant
               /\ left' = [left EXCEPT ![c.lease] = @ - c.units, ![new] = grant]
               /\ old' = [old EXCEPT ![new] = FALSE]
               /\ owner' = [owner EXCEPT ![new] = h]
  /\ out' = out + (c.units - Restored(c))
  /\ note' = NoteOf(h, grant)
  /\ UNCHANGED <<work, dead, budget>>

\* Nothing to grant: the ledger is untouched but for the note. After an attempt
\* nobody knows about, this answer is not known either, and the call stays parked.
RefuseConsolidation(h) ==
  LET c == call[h] IN
  /\ c.kind = "consolidate" /\ c.state = "sent" /\ ~c.parked
  /\ balance + Restored(c) = 0 \/ ~Possible(c) \/ \A l \in Leases : ~Unused(l)
  /\ note' = NoteOf(h, 0)
  /\ call' = [call EXCEPT ![h] = NoCall]
  /\ free' = IF Live(h) THEN [free EXCEPT ![c.lease] = @ + c.units] ELSE free
  /\ UNCHANGED <<ledger, running, current, wants, touched, asked, dead, budget>>

TakeReturn(h) ==
  LET c == call[h] IN
  /\ c.kind = "return" /\ c.state = "sent" /\ Possible(c)
  /\ call' = [call EXCEPT ![h].state = "taken"]
  /\ left' = [left EXCEPT ![c.lease] = @ - c.units]
  /\ balance' = balance + Restored(c)
  /\ out' = out + (c.units - Restored(c))
  /\ UNCHANGED <<old, owner, note, work, dead, budget>>

\* A boundary expires the balance and deposits an allowance; leases keep serving.
Cross ==
  /\ budget.crossings > 0
  /\ budget' = [budget EXCEPT !.crossings = @ - 1]
  /\ out' = out + balance
  /\ balance' = Allowance
  /\ old' = [l \in Leases |-> left[l] > 0]
  /\ UNCHANGED <<left, owner, note, work, call, dead>>

-----------------------------------------------------------------------------
(* Answers *)

\* The receipt, soon or from the parking place: the new lease takes the old one's
\* place, and the old one keeps what runs on it.
Receive(h) ==
  LET c == call[h] IN
  /\ Live(h) /\ c # NoCall /\ c.state = "taken"
  /\ call' = [call EXCEPT ![h] = NoCall]
  /\ IF c.kind = "consolidate"
     THEN /\ current' = [current EXCEPT ![h] = c.receipt]
          /\ free' = [free EXCEPT ![c.receipt] = c.granted]
     ELSE UNCHANGED <<current, free>>
  /\ UNCHANGED <<ledger, note, running, wants, touched, asked, dead, budget>>

\* Known to have failed: the drained units go back, and the ledger was not touched.
Fail(h) ==
  /\ call[h] # NoCall /\ call[h].state \in {"sent", "folded"} /\ ~call[h].parked
  /\ budget.faults > 0 /\ budget' = [budget EXCEPT !.faults = @ - 1]
  /\ free' = IF Live(h) THEN [free EXCEPT ![call[h].lease] = @ + call[h].units] ELSE free
  /\ call' = [call EXCEPT ![h] = NoCall]
  /\ UNCHANGED <<ledger, note, running, current, wants, touched, asked, dead>>

\* A checked answer after its not_after: a parked call never happened and never will.
\* Its units do not go back on the counter; they go home by a return.
Expire(h) ==
  /\ call[h] # NoCall /\ call[h].state = "sent"
  /\ call[h].parked \/ ~Live(h)
  /\ call' = [call EXCEPT ![h] =
       IF Live(h) /\ @.units > 0 THEN [@ EXCEPT !.kind = "return", !.parked = FALSE] ELSE NoCall]
  /\ UNCHANGED <<ledger, note, work, dead, budget>>

\* Nobody knows. The call is parked: it may still be taken, it may have been.
Unknown(h) ==
  LET c == call[h] IN
  /\ Live(h) /\ c # NoCall /\ ~c.parked
  /\ budget.faults > 0 /\ budget' = [budget EXCEPT !.faults = @ - 1]
  /\ IF Weak("ParkedForgotten")
     THEN call' = [call EXCEPT ![h] = NoCall] ELSE call' = [call EXCEPT ![h].parked = TRUE]
  /\ free' = IF Weak("ReinstateAfterUnknown")
             THEN [free EXCEPT ![c.lease] = @ + c.units] ELSE free
  /\ UNCHANGED <<ledger, note, running, current, wants, touched, asked, dead>>

-----------------------------------------------------------------------------
(* Faults *)

LoseNote ==
  /\ note # NoNote
  /\ budget.faults > 0 /\ budget' = [budget EXCEPT !.faults = @ - 1]
  /\ note' = NoNote
  /\ UNCHANGED <<ledger, work, call, dead>>

Crash(h) ==
  /\ Live(h)
  /\ budget.faults > 0 /\ budget' = [budget EXCEPT !.faults = @ - 1]
  /\ dead' = dead \cup {h}
  /\ free' = [l \in Leases |-> IF owner[l] = h THEN 0 ELSE free[l]]
  /\ running' = [l \in Leases |-> IF owner[l] = h THEN 0 ELSE running[l]]
  /\ wants' = [wants EXCEPT ![h] = 0]
  /\ touched' = [touched EXCEPT ![h] = FALSE]
  /\ call' = IF call[h] # NoCall /\ call[h].state = "sent" THEN call
             ELSE [call EXCEPT ![h] = NoCall]
  /\ UNCHANGED <<ledger, note, current, asked>>

\* Whatever a dead holder had, also a grant it never heard of, ends as loss.
Reclaim(l) ==
  /\ left[l] > 0 /\ owner[l] \in dead
  /\ left' = [left EXCEPT ![l] = 0]
  /\ out' = out + left[l]
  /\ UNCHANGED <<balance, old, note, owner, work, call, dead, budget>>

-----------------------------------------------------------------------------

Ledger(h) == TakeConsolidation(h) \/ RefuseConsolidation(h) \/ TakeReturn(h)
Answer(h) == Receive(h) \/ Expire(h)

Next ==
  \/ \E h \in Holders :
       \/ Request(h) \/ Serve(h) \/ Interval(h)
       \/ Consolidate(h) \/ Honour(h) \/ \E l \in Leases : HandBack(h, l)
       \/ Ledger(h) \/ Answer(h)
       \/ Fail(h) \/ Unknown(h) \/ Crash(h)
  \/ \E l \in Leases : Settle(l) \/ Reclaim(l)
  \/ LoseNote \/ Cross

Spec == Init /\ [][Next]_vars

\* What does not stop for ever: everything but requests and faults. A holder has one
\* command in flight, so its consolidations must not starve its returns: strong
\* fairness says that each gets its turn.
Fair ==
  /\ \A h \in Holders :
       /\ WF_vars(Serve(h)) /\ WF_vars(Interval(h)) /\ WF_vars(Consolidate(h))
       /\ WF_vars(Ledger(h)) /\ WF_vars(Answer(h))
       /\ SF_vars(Honour(h)) /\ SF_vars(\E l \in Leases : HandBack(h, l))
  /\ \A l \in Leases : WF_vars(Settle(l)) /\ WF_vars(Reclaim(l))

FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
(* What must hold *)

Deposited == Total + Allowance * (MaxCrossings - budget.crossings)

TheBooksBalance ==
  /\ balance + Outstanding + out = Deposited
  /\ balance >= 0
  /\ \A l \in Leases : left[l] >= 0 /\ free[l] >= 0

Drained(l) == Sum([h \in Holders |->
  IF call[h] # NoCall /\ call[h].lease = l /\ call[h].state = "sent"
  THEN call[h].units ELSE 0], Holders)

Granted(l) == Sum([h \in Holders |->
  IF call[h] # NoCall /\ call[h].receipt = l /\ call[h].state = "taken"
  THEN call[h].granted ELSE 0], Holders)

\* R2, R3, R35. What the ledger has out on a lease is on its holder's counter, under
\* running work, or in a call whose end is open: once, and nowhere else.
EveryUnitOfALeaseIsInOnePlace ==
  \A l \in Leases : owner[l] # None /\ owner[l] \notin dead =>
    left[l] = free[l] + running[l] + Drained(l) + Granted(l)

\* R2. If the remaining can fund a quote, it is funded, or the remaining shrinks below it.
AQuoteTheRemainingCanFundIsFunded ==
  \A h \in Holders :
    wants[h] > 0 ~> (wants[h] = 0 \/ wants[h] > Remaining)
=============================================================================
