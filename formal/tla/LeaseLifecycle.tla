---------------------------- MODULE LeaseLifecycle ----------------------------
(***************************************************************************)
(* The life of a lease: granted, owed, returned, renewed, released or     *)
(* reclaimed, settled late, and carried over a period boundary.            *)
(*                                                                         *)
(* One account. The ledger's commands are atomic here (LedgerFencing is    *)
(* why they may be). A lease's id is its fence; each lease has a holder    *)
(* that may crash at any moment, taking with it whatever it had not handed *)
(* over. A step of a lease is a message that can be delivered again.       *)
(*                                                                         *)
(* `now` is true time. Every clock, a holder's or a member's, reads within *)
(* Skew of it and may step back within that; ledger time is not assumed    *)
(* monotonic. A request costs one unit.                                    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  MaxLeases, MaxTime,
  TopUp,        \* units deposited at the start
  Amount,       \* units of one allowance
  PeriodLength, Ttl, Margin, Grace, Skew,
  OverageCap,   \* 0 is strict enforcement
  MaxChanges,   \* how often an operator clears or sets the schedule
  Weakened      \* the guards a mutant leaves out; {} is the design

Mutations == {
  "CreditOnReclaim",      \* a reclaim gives back what nobody reported
  "ReclaimAtExpiry",      \* the sweep does not wait for the grace
  "MarginIgnored",        \* a holder starts work until the very expiry
  "StepsUnnumbered",      \* a step delivered again acts again
  "ReturnRunningWork",    \* a return hands back what running work holds
  "ReleaseForgetsLoss",   \* a release writes nothing off for unreported work
  "StragglerUnbounded",   \* a late charge is not compared with the loss
  "OldAllowanceRevived",  \* a lease of an old period returns its allowance
  "TopUpExpires",         \* a boundary takes the top-up half as well
  "BoundaryStays",        \* a crossing does not move the marker
  "ClearForgetsFunding",  \* clearing a schedule forgets what was funded
  "ScheduleNowTwice",     \* a retried `now` acts again
  "CapRefilledByPeriod"}  \* a boundary refills the overage an instance may admit

ASSUME Weakened \subseteq Mutations
ASSUME Weakened = {} => 2 * Skew <= Margin + Grace

Weak(mutation) == mutation \in Weakened

Leases  == 1..MaxLeases
Periods == 0..((MaxTime + Skew) \div PeriodLength)
Never   == MaxTime + Skew + 1

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

VARIABLES
  now,
  books,     \* the account's stored numbers (R10)
  period,    \* number, boundary, calendar period funded last, schedule
  lease,     \* the ledger's view of each lease
  slot,      \* the holder's view of each lease
  step,      \* the step of a lease that is on its way, if one is
  overage,   \* the instance: units admitted beyond the lease, and not yet recorded
  owed,      \* history: lease-funded units committed by starting work and not billed yet
  fundings,  \* history: how often each calendar period was funded
  operator,  \* the operator: changes made, and what became of one `now` command
  rejected   \* history: an honest holder's charge was refused

vars == <<now, books, period, lease, slot, step, overage, owed, fundings, operator, rejected>>

\* `left` is granted - returned - billed, `topUp` the part of it that is top-up.
NoLease == [state |-> "none", left |-> 0, topUp |-> 0, loss |-> 0, expires |-> 0, period |-> 0]
\* The holder may not have heard: the expiry stays in its sight.
Ended(l, lost) == [NoLease EXCEPT !.state = "ended", !.loss = lost, !.expires = lease[l].expires]
NoSlot  == [state |-> "none", free |-> 0, running |-> 0, charged |-> 0]
NoStep  == [kind |-> "none"]

\* A clock is as slow or as fast as it may be; what lies between adds nothing.
Readings == {Max(0, now - Skew), now + Skew}

Init ==
  /\ now      = 0
  /\ books    = [deposited |-> TopUp + Amount, overage |-> 0, allowance |-> Amount,
                 topUp |-> TopUp, outstanding |-> 0, billed |-> 0, loss |-> 0, expired |-> 0]
  /\ period   = [number |-> 1, ends |-> PeriodLength, funded |-> 0, scheduled |-> TRUE, clear |-> FALSE]
  /\ lease    = [l \in Leases |-> NoLease]
  /\ slot     = [l \in Leases |-> NoSlot]
  /\ step     = [l \in Leases |-> NoStep]
  /\ overage  = [admitted |-> 0, pending |-> 0]
  /\ owed    = 0
  /\ fundings = [p \in Periods |-> IF p = 0 THEN 1 ELSE 0]
  /\ operator = [changes |-> 0, asked |-> FALSE, done |-> FALSE]
  /\ rejected = FALSE

-----------------------------------------------------------------------------
(* The holder *)

Usable(l, t) == t < lease[l].expires - (IF Weak("MarginIgnored") THEN 0 ELSE Margin)

\* Starting is the commit point: one unit, from a lease that is open and in its window.
Start(l) ==
  /\ slot[l].state = "open" /\ slot[l].free > 0
  /\ \E t \in Readings : Usable(l, t)
  /\ slot' = [slot EXCEPT ![l].free = @ - 1, ![l].running = @ + 1]
  /\ owed' = owed + 1
  /\ UNCHANGED <<now, books, period, lease, step, overage, fundings, operator, rejected>>

\* One-way: whoever reads a clock past the window closes the slot for good.
Lapse(l) ==
  /\ slot[l].state = "open"
  /\ \E t \in Readings : ~Usable(l, t)
  /\ slot' = [slot EXCEPT ![l].state = "lapsed"]
  /\ UNCHANGED <<now, books, period, lease, step, overage, owed, fundings, operator, rejected>>

\* Work ends at the unit it reserved, or at zero.
Settle(l) ==
  /\ slot[l].running > 0
  /\ \/ /\ slot' = [slot EXCEPT ![l].running = @ - 1, ![l].charged = @ + 1]
        /\ UNCHANGED owed
     \/ /\ slot' = [slot EXCEPT ![l].running = @ - 1, ![l].free = @ + 1]
        /\ owed' = owed - 1
  /\ UNCHANGED <<now, books, period, lease, step, overage, fundings, operator, rejected>>

\* Elastic: where the lease is out of units or lapsed, overage funds the start.
StartOnOverage(l) ==
  /\ slot[l].state \in {"open", "lapsed"}
  /\ slot[l].state = "open" => slot[l].free = 0
  /\ overage.admitted < OverageCap
  /\ overage' = [admitted |-> overage.admitted + 1, pending |-> overage.pending + 1]
  /\ UNCHANGED <<now, books, period, lease, slot, step, owed, fundings, operator, rejected>>

\* Free units leave the counter before the ledger hears of them. A release is for
\* a lease that nothing runs on any more, and its slot is gone with it; charges may
\* still be on their way.
Hand(l, kind) ==
  /\ slot[l].state \in {"open", "lapsed"} /\ step[l] = NoStep
  /\ lease[l].state = "active"
  /\ kind = "return" => slot[l].free > 0
  /\ kind = "release" => slot[l].running = 0
  /\ step' = [step EXCEPT ![l] =
       [kind |-> kind, taken |-> FALSE,
        units |-> slot[l].free +
          (IF Weak("ReturnRunningWork") /\ kind = "return" THEN slot[l].running ELSE 0)]]
  /\ slot' = [slot EXCEPT ![l].free = 0,
                          ![l].state = IF kind = "release" THEN "gone" ELSE @]
  /\ UNCHANGED <<now, books, period, lease, overage, owed, fundings, operator, rejected>>

\* The answer to a step arrives. If it is known to have failed, the units go back.
Answered(l) ==
  /\ step[l] # NoStep
  /\ step' = [step EXCEPT ![l] = NoStep]
  /\ slot' = IF ~step[l].taken /\ lease[l].state = "active" /\ slot[l].state # "gone"
             THEN [slot EXCEPT ![l].free = @ + step[l].units] ELSE slot
  /\ UNCHANGED <<now, books, period, lease, overage, owed, fundings, operator, rejected>>

\* Everything in memory is gone; charges that reached the inbox are not.
Crash(l) ==
  /\ slot[l].state \notin {"none", "gone"}
  /\ \E kept \in 0..slot[l].charged :
       slot' = [slot EXCEPT ![l] =
         [state |-> "gone", free |-> 0, running |-> 0, charged |-> kept]]
  /\ UNCHANGED <<now, books, period, lease, step, overage, owed, fundings, operator, rejected>>

-----------------------------------------------------------------------------
(* The ledger: every command crosses a due boundary before it acts *)

At(t) == t \in Readings /\ t < period.ends

\* However small or large the policy makes a grant, it comes out of the balance,
\* allowance first. The answer may never reach the holder.
Grant(l) ==
  /\ lease[l].state = "none" /\ \A earlier \in 1..(l - 1) : lease[earlier].state # "none"
  /\ \E t \in Readings : \E units \in 1..(books.allowance + books.topUp), heard \in BOOLEAN :
       LET allowance == Min(units, books.allowance) IN
       /\ At(t)
       /\ lease' = [lease EXCEPT ![l] =
            [NoLease EXCEPT !.state = "active", !.left = units, !.topUp = units - allowance,
                            !.expires = t + Ttl, !.period = period.number]]
       /\ slot' = [slot EXCEPT ![l] = IF heard
            THEN [NoSlot EXCEPT !.state = "open", !.free = units]
            ELSE [NoSlot EXCEPT !.state = "gone"]]
       /\ books' = [books EXCEPT !.allowance = @ - allowance,
            !.topUp = @ - (units - allowance), !.outstanding = @ + units]
  /\ UNCHANGED <<now, period, step, overage, owed, fundings, operator, rejected>>

\* Spending takes allowance first, so what comes back is top-up first. The
\* allowance of an old period has expired.
GiveBack(l, units, ends) ==
  LET topUp     == Min(units, lease[l].topUp)
      allowance == units - topUp
      current   == lease[l].period = period.number
      rest      == lease[l].left - units
      lost      == IF ends /\ ~Weak("ReleaseForgetsLoss") THEN rest ELSE 0
      restored  == (IF current \/ Weak("OldAllowanceRevived") THEN allowance ELSE 0)
      kept      == (IF current \/ ~Weak("TopUpExpires") THEN topUp ELSE 0)
  IN
  /\ books' = [books EXCEPT
       !.outstanding = @ - units - (IF ends THEN rest ELSE 0),
       !.allowance   = @ + restored,
       !.topUp       = @ + kept,
       !.expired     = @ + units - restored - kept,
       !.loss        = @ + lost]
  /\ lease' = [lease EXCEPT ![l] =
       IF ends THEN Ended(l, lost)
       ELSE [@ EXCEPT !.left = rest, !.topUp = Min(rest, @ - topUp)]]

\* A step is delivered, perhaps not for the first time.
TakeStep(l) ==
  /\ step[l] # NoStep
  /\ \E t \in Readings : At(t)
  /\ lease[l].state = "active"
  /\ ~step[l].taken \/ Weak("StepsUnnumbered")
  /\ step[l].units <= lease[l].left
  /\ GiveBack(l, step[l].units, step[l].kind = "release")
  /\ step' = [step EXCEPT ![l].taken = TRUE]
  /\ UNCHANGED <<now, period, slot, overage, owed, fundings, operator, rejected>>

\* Moves the expiry of a lease with work running; grants nothing, revives nothing.
Renew(l) ==
  /\ slot[l].state \in {"open", "lapsed"} /\ slot[l].running > 0
  /\ lease[l].state = "active"
  /\ \E t \in Readings :
       /\ At(t)
       /\ lease' = [lease EXCEPT ![l].expires = Max(@, t + Ttl)]
  /\ UNCHANGED <<now, books, period, slot, step, overage, owed, fundings, operator, rejected>>

\* Credits nothing: what nobody accounted for becomes provisional loss.
Reclaim(l) ==
  /\ lease[l].state = "active"
  /\ \E t \in Readings :
       /\ At(t)
       /\ lease[l].expires + (IF Weak("ReclaimAtExpiry") THEN 0 ELSE Grace) <= t
  /\ LET lost == lease[l].left IN
     IF Weak("CreditOnReclaim")
     THEN /\ lease' = [lease EXCEPT ![l] = Ended(l, 0)]
          /\ books' = [books EXCEPT !.outstanding = @ - lost, !.topUp = @ + lost]
     ELSE /\ lease' = [lease EXCEPT ![l] = Ended(l, lost)]
          /\ books' = [books EXCEPT !.outstanding = @ - lost, !.loss = @ + lost]
  /\ UNCHANGED <<now, period, slot, step, overage, owed, fundings, operator, rejected>>

\* Usage of one unit: from what is left on an active lease; a straggler, from its loss.
Record(l) ==
  /\ slot[l].charged > 0
  /\ \E t \in Readings : At(t)
  /\ slot' = [slot EXCEPT ![l].charged = @ - 1]
  /\ IF lease[l].left > 0
     THEN /\ lease' = [lease EXCEPT ![l].left = @ - 1, ![l].topUp = Min(@, lease[l].left - 1)]
          /\ books' = [books EXCEPT !.outstanding = @ - 1, !.billed = @ + 1]
          /\ owed' = owed - 1
          /\ UNCHANGED rejected
     ELSE IF lease[l].loss > 0
          THEN /\ lease' = [lease EXCEPT ![l].loss = @ - 1]
               /\ books' = [books EXCEPT !.loss = @ - 1, !.billed = @ + 1]
               /\ owed' = owed - 1
               /\ UNCHANGED rejected
          ELSE rejected' = TRUE /\ UNCHANGED <<lease, books, owed>>
  /\ UNCHANGED <<now, period, step, overage, fundings, operator>>

\* A holder that lies, or bills twice: a claim above what is possible changes nothing.
Overclaim(l) ==
  /\ lease[l].state = "ended" /\ lease[l].loss = 0 /\ slot[l].charged = 0
  /\ Weak("StragglerUnbounded")
  /\ lease' = [lease EXCEPT ![l].loss = @ - 1]
  /\ books' = [books EXCEPT !.loss = @ - 1, !.billed = @ + 1]
  /\ UNCHANGED <<now, period, slot, step, overage, owed, fundings, operator, rejected>>

RecordOverage ==
  /\ overage.pending > 0
  /\ \E t \in Readings : At(t)
  /\ overage' = [overage EXCEPT !.pending = @ - 1]
  /\ books' = [books EXCEPT !.overage = @ + 1, !.billed = @ + 1]
  /\ UNCHANGED <<now, period, lease, slot, step, owed, fundings, operator, rejected>>

-----------------------------------------------------------------------------
(* Periods *)

Calendar(t) == t \div PeriodLength

\* Expires what is left, moves the marker, and funds the calendar period once.
Begin(t, scheduled, regardless) ==
  LET funds == scheduled /\ (regardless \/ Calendar(t) > period.funded
                             \/ Weak("BoundaryStays"))
      units == IF funds THEN Amount ELSE 0
  IN
  /\ books' = [books EXCEPT !.expired = @ + books.allowance, !.allowance = units,
                            !.deposited = @ + units]
  /\ fundings' = IF funds THEN [fundings EXCEPT ![Calendar(t)] = @ + 1] ELSE fundings
  /\ period' =
       [number    |-> period.number + 1,
        ends      |-> IF ~scheduled THEN Never
                      ELSE IF Weak("BoundaryStays") THEN period.ends
                      ELSE (Calendar(t) + 1) * PeriodLength,
        funded    |-> IF scheduled THEN Max(period.funded, Calendar(t))
                      ELSE IF Weak("ClearForgetsFunding") THEN -1 ELSE period.funded,
        scheduled |-> scheduled,
        clear     |-> FALSE]

\* However many boundaries have passed, one crossing.
Cross ==
  /\ \E t \in Readings : period.ends <= t /\ Begin(t, ~period.clear, FALSE)
  /\ overage' = IF Weak("CapRefilledByPeriod") THEN [overage EXCEPT !.admitted = 0] ELSE overage
  /\ UNCHANGED <<now, lease, slot, step, owed, operator, rejected>>

ClearSchedule ==
  /\ operator.changes < MaxChanges
  /\ period.scheduled /\ ~period.clear
  /\ \E t \in Readings : At(t)
  /\ period' = [period EXCEPT !.clear = TRUE]
  /\ operator' = [operator EXCEPT !.changes = @ + 1]
  /\ UNCHANGED <<now, books, lease, slot, step, overage, owed, fundings, rejected>>

SetSchedule ==
  /\ operator.changes < MaxChanges
  /\ ~period.scheduled
  /\ \E t \in Readings : Begin(t, TRUE, FALSE)
  /\ operator' = [operator EXCEPT !.changes = @ + 1]
  /\ UNCHANGED <<now, lease, slot, step, overage, owed, rejected>>

\* One command, delivered as often as its sender is in doubt.
ScheduleNow ==
  /\ MaxChanges > 0
  /\ ~operator.done \/ Weak("ScheduleNowTwice")
  /\ \E t \in Readings : At(t) /\ Begin(t, TRUE, TRUE)
  /\ operator' = [operator EXCEPT !.asked = TRUE, !.done = TRUE]
  /\ UNCHANGED <<now, lease, slot, step, overage, owed, rejected>>

Tick ==
  /\ now < MaxTime
  /\ now' = now + 1
  /\ UNCHANGED <<books, period, lease, slot, step, overage, owed, fundings, operator, rejected>>

-----------------------------------------------------------------------------

Next ==
  \/ \E l \in Leases :
       \/ Start(l) \/ Lapse(l) \/ Settle(l) \/ StartOnOverage(l)
       \/ Hand(l, "return") \/ Hand(l, "release") \/ Answered(l) \/ Crash(l)
       \/ Grant(l) \/ TakeStep(l) \/ Renew(l) \/ Reclaim(l) \/ Record(l) \/ Overclaim(l)
  \/ RecordOverage \/ Cross \/ ClearSchedule \/ SetSchedule \/ ScheduleNow \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold *)

RECURSIVE Sum(_, _)
Sum(values, n) == IF n = 0 THEN 0 ELSE values[n] + Sum(values, n - 1)

TheBooksBalance ==
  /\ books.deposited + books.overage =
       books.allowance + books.topUp + books.outstanding + books.billed + books.loss + books.expired
  /\ \A term \in DOMAIN books : books[term] >= 0
  /\ books.outstanding =
       Sum([l \in Leases |-> lease[l].left], MaxLeases)
  /\ books.loss = Sum([l \in Leases |-> lease[l].loss], MaxLeases)

\* R1. What was committed on leases and not billed yet is out of the balance, so no
\* one else can commit it.
CommittedUnitsHaveLeftTheBalance ==
  owed <= books.outstanding + books.loss

OverageStaysWithinTheCap ==
  overage.admitted <= OverageCap /\ books.overage + overage.pending <= OverageCap

\* R12. What a holder still has to charge is covered, also after its lease ended.
AnHonestChargeIsNeverRefused == ~rejected

StragglersNeverExceedTheLoss ==
  \A l \in Leases : lease[l].loss >= 0

\* R14. Allowance does not carry over, top-up does not expire.
AnAllowanceNeverExceedsItsAmount ==
  books.allowance <= Amount

OnlyAllowanceExpires ==
  books.expired <= Amount * (period.number - 1)

ACalendarPeriodIsFundedOnceUnlessAskedNow ==
  \A p \in Periods : fundings[p] <= 1 + (IF operator.asked THEN 1 ELSE 0)

\* R13. Between the last start and the first reclaim lies margin + grace.
NoWorkStartsOnAnEndedLease ==
  [][\A l \in Leases : slot'[l].running > slot[l].running => lease[l].state = "active"]_vars

\* R13. Once lapsed, a clock that steps back revives nothing.
ALapsedSlotStartsNothing ==
  [][\A l \in Leases : slot[l].state # "open" => slot'[l].running <= slot[l].running]_vars
=============================================================================
