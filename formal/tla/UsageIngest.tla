----------------------------- MODULE UsageIngest -----------------------------
(***************************************************************************)
(* Usage events on their way from writers to the ledger of one account.    *)
(*                                                                         *)
(* A writer is one start of a process. It numbers its events, leaves them  *)
(* in an inbox on the grid, as often as it takes, and asks what became of  *)
(* them. Two writers may deliver the same part: a file that is read twice, *)
(* a retry by whoever feeds them. Drivers take events from the inbox, look *)
(* at what is on record, and record them; the database refuses a row that  *)
(* came in between. Any message may be lost, late or repeated; an entry of *)
(* the inbox may be lost with the members that held it, and be taken by    *)
(* two drivers at once.                                                    *)
(*                                                                         *)
(* Whether a new event is valid when it is looked at is anybody's choice:  *)
(* what is rejected now might have been accepted a moment later.           *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Writers,
  Parts,
  MaxEvents,     \* of one writer
  Drivers,
  Losses,        \* whether entries of the inbox may be lost
  Weakened       \* the guards a mutant leaves out; {} is the design

Mutations == {
  "AnsweredBeforeCommit",     \* an event is answered as soon as a driver has judged it
  "WriterIdReused",           \* a process that starts again takes the id it had
  "RejectionsForgotten",      \* a delivery that was rejected is judged anew
  "PartBeforeDelivery",       \* that the part is on record comes before what this delivery was told
  "RejectionClaimsThePart",   \* a part that was rejected is a duplicate from then on
  "UnknownIsRejected",        \* an event whose commit did not answer is answered as rejected
  "InsertUnchecked",          \* a row that came in between refuses nothing
  "ForgottenWhenLeft",        \* a writer forgets what the inbox has
  "AbsenceIsAnAnswer",        \* a writer forgets what the inbox does not have
  "TakenOnce"}                \* an entry whose driver gave up is not taken again

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

VARIABLES
  written,    \* of each writer: the parts of its events, by their numbers
  alive,
  pending,    \* of each writer: the numbers it still keeps
  left,       \* deliveries, each with its part, that were ever sent: each may arrive at any time, again and again
  entry,      \* inbox: of each delivery "none", "open", "given up" or its verdict
  holds,      \* inbox: of each delivery the part it is about
  work,       \* of each driver
  acceptedBy, \* database: of each part the delivery that was accepted, or NoOne
  rejected,   \* database: of each delivery the part it was rejected for, or 0
  billed,     \* database: of each part how often it moved the ledger
  told,       \* of each delivery: what its writer was told, "no" before
  said        \* of each delivery: every verdict a driver reached and made durable, or found

database == <<acceptedBy, rejected, billed>>
inbox == <<entry, holds>>
vars == <<written, alive, pending, left, inbox, work, database, told, said>>

Deliveries == Writers \X (1..MaxEvents)
NoOne == <<0, 0>>
Verdicts == {"accepted", "rejected", "duplicate"}
Idle == [at |-> "idle", delivery |-> NoOne, part |-> 0, verdict |-> "none", new |-> FALSE]

PartOf(delivery) == written[delivery[1]][delivery[2]]

Init ==
  /\ written    = [w \in Writers |-> <<>>]
  /\ alive      = [w \in Writers |-> TRUE]
  /\ pending    = [w \in Writers |-> {}]
  /\ left       = {}
  /\ entry      = [d \in Deliveries |-> "none"]
  /\ holds      = [d \in Deliveries |-> 0]
  /\ work       = [r \in Drivers |-> Idle]
  /\ acceptedBy = [p \in Parts |-> NoOne]
  /\ rejected   = [d \in Deliveries |-> 0]
  /\ billed     = [p \in Parts |-> 0]
  /\ told       = [d \in Deliveries |-> "no"]
  /\ said       = [d \in Deliveries |-> {}]

-----------------------------------------------------------------------------
(* Writers *)

Write(w) ==
  /\ alive[w] /\ Len(written[w]) < MaxEvents
  /\ \E p \in Parts : written' = [written EXCEPT ![w] = Append(@, p)]
  /\ pending' = [pending EXCEPT ![w] = @ \union {Len(written[w]) + 1}]
  /\ UNCHANGED <<alive, left, inbox, work, database, told, said>>

\* Sent, and sent again on a timer, on a new connection, or because the inbox does not have it.
Leave(w, n) ==
  /\ alive[w] /\ n \in pending[w]
  /\ entry[<<w, n>>] = "none"
  /\ left' = left \union {<<<<w, n>>, PartOf(<<w, n>>)>>}
  /\ UNCHANGED <<written, alive, pending, inbox, work, database, told, said>>

\* A finished event leaves the inbox with the answer to the question; that answer may be lost.
Ask(w, n, heard) ==
  LET d == <<w, n>> IN
  /\ alive[w] /\ n \in pending[w] /\ entry[d] \in Verdicts
  /\ entry' = [entry EXCEPT ![d] = "none"]
  /\ IF heard
     THEN /\ told' = [told EXCEPT ![d] = entry[d]]
          /\ pending' = [pending EXCEPT ![w] = @ \ {n}]
     ELSE UNCHANGED <<told, pending>>
  /\ UNCHANGED <<written, alive, left, holds, work, database, said>>

Forget(w, n) ==
  /\ alive[w] /\ n \in pending[w]
  /\ \/ Weak("ForgottenWhenLeft") /\ entry[<<w, n>>] # "none"
     \/ Weak("AbsenceIsAnAnswer") /\ <<<<w, n>>, PartOf(<<w, n>>)>> \in left /\ entry[<<w, n>>] = "none"
  /\ pending' = [pending EXCEPT ![w] = @ \ {n}]
  /\ UNCHANGED <<written, alive, left, inbox, work, database, told, said>>

\* What it had not left yet is lost with it; its leases are forfeited for that.
Crash(w) ==
  /\ alive[w]
  /\ alive' = [alive EXCEPT ![w] = FALSE]
  /\ pending' = [pending EXCEPT ![w] = {}]
  /\ UNCHANGED <<written, left, inbox, work, database, told, said>>

\* With an id of its own it is another writer.
StartUnderTheSameId(w) ==
  /\ Weak("WriterIdReused") /\ ~alive[w] /\ written[w] # <<>>
  /\ alive' = [alive EXCEPT ![w] = TRUE]
  /\ written' = [written EXCEPT ![w] = <<>>]
  /\ told' = [d \in Deliveries |-> IF d[1] = w THEN "no" ELSE told[d]]
  /\ UNCHANGED <<pending, left, inbox, work, database, said>>

-----------------------------------------------------------------------------
(* The inbox *)

Arrive(d, p) ==
  /\ <<d, p>> \in left /\ entry[d] = "none"
  /\ entry' = [entry EXCEPT ![d] = "open"]
  /\ holds' = [holds EXCEPT ![d] = p]
  /\ UNCHANGED <<written, alive, pending, left, work, database, told, said>>

Lose(d) ==
  /\ Losses /\ entry[d] # "none"
  /\ entry' = [entry EXCEPT ![d] = "none"]
  /\ holds' = [holds EXCEPT ![d] = 0]
  /\ UNCHANGED <<written, alive, pending, left, work, database, told, said>>

\* An answer that nobody fetches goes after a while.
Expire(d) ==
  /\ entry[d] \in Verdicts /\ d[2] \notin pending[d[1]]
  /\ entry' = [entry EXCEPT ![d] = "none"]
  /\ holds' = [holds EXCEPT ![d] = 0]
  /\ UNCHANGED <<written, alive, pending, left, work, database, told, said>>

-----------------------------------------------------------------------------
(* Drivers *)

\* Also by a second one, while the first is at it.
Take(r, d) ==
  /\ work[r].at = "idle" /\ entry[d] = "open"
  /\ work' = [work EXCEPT ![r] = [Idle EXCEPT !.at = "took", !.delivery = d, !.part = holds[d]]]
  /\ UNCHANGED <<written, alive, pending, left, inbox, database, told, said>>

\* What this delivery was told before, then what is on record of its part; else it is new.
OnRecord(d, p) ==
  LET mine      == acceptedBy[p] = d
      wasRefused == rejected[d] # 0 /\ ~Weak("RejectionsForgotten")
      claimed   == acceptedBy[p] # NoOne
                   \/ (Weak("RejectionClaimsThePart") /\ \E other \in Deliveries \ {d} : rejected[other] = p)
  IN CASE mine                                          -> "accepted"
       [] claimed /\ Weak("PartBeforeDelivery")         -> "duplicate"
       [] wasRefused                                    -> "rejected"
       [] claimed                                       -> "duplicate"
       [] OTHER                                         -> "none"

Judge(r) ==
  LET known == OnRecord(work[r].delivery, work[r].part) IN
  /\ work[r].at = "took"
  /\ IF known # "none"
     THEN work' = [work EXCEPT ![r].at = "judged", ![r].verdict = known]
     ELSE \E verdict \in {"accepted", "rejected"} :
            work' = [work EXCEPT ![r].at = "judged", ![r].verdict = verdict, ![r].new = TRUE]
  /\ UNCHANGED <<written, alive, pending, left, inbox, database, told, said>>

\* Rows and ledger in one transaction. What was judged on rows that are not so any more is refused, and judged again.
Commit(r) ==
  LET d == work[r].delivery
      p == work[r].part
      verdict == work[r].verdict
      stands == IF work[r].new THEN OnRecord(d, p) = "none" ELSE OnRecord(d, p) = verdict
  IN
  /\ work[r].at = "judged"
  /\ IF stands \/ (Weak("InsertUnchecked") /\ work[r].new /\ verdict = "accepted" /\ rejected[d] = 0)
     THEN /\ work' = [work EXCEPT ![r].at = "committed"]
          /\ said' = [said EXCEPT ![d] = @ \union {verdict}]
          /\ acceptedBy' = IF work[r].new /\ verdict = "accepted" THEN [acceptedBy EXCEPT ![p] = d] ELSE acceptedBy
          /\ billed' = IF work[r].new /\ verdict = "accepted" THEN [billed EXCEPT ![p] = @ + 1] ELSE billed
          /\ rejected' = IF work[r].new /\ verdict = "rejected" THEN [rejected EXCEPT ![d] = p] ELSE rejected
     ELSE /\ work' = [work EXCEPT ![r] = [@ EXCEPT !.at = "took", !.verdict = "none", !.new = FALSE]]
          /\ UNCHANGED <<database, said>>
  /\ UNCHANGED <<written, alive, pending, left, inbox, told>>

Answer(r) ==
  LET d == work[r].delivery IN
  /\ work[r].at = "committed" \/ (work[r].at = "judged" /\ Weak("AnsweredBeforeCommit"))
  /\ entry' = IF entry[d] \in {"open", "given up"} THEN [entry EXCEPT ![d] = work[r].verdict] ELSE entry
  /\ work' = [work EXCEPT ![r] = Idle]
  /\ UNCHANGED <<written, alive, pending, left, holds, database, told, said>>

\* It dies, or does not hear of its own commit: the event stays where it is and is taken again.
GiveUp(r) ==
  LET d == work[r].delivery IN
  /\ work[r].at # "idle"
  /\ work' = [work EXCEPT ![r] = Idle]
  /\ entry' = CASE entry[d] = "open" /\ work[r].at = "committed" /\ Weak("UnknownIsRejected") ->
                     [entry EXCEPT ![d] = "rejected"]
                [] entry[d] = "open" /\ Weak("TakenOnce") -> [entry EXCEPT ![d] = "given up"]
                [] OTHER -> entry
  /\ UNCHANGED <<written, alive, pending, left, holds, database, told, said>>

-----------------------------------------------------------------------------

Next ==
  \/ \E w \in Writers : Write(w) \/ Crash(w) \/ StartUnderTheSameId(w)
  \/ \E w \in Writers, n \in 1..MaxEvents :
       Leave(w, n) \/ Ask(w, n, TRUE) \/ Ask(w, n, FALSE) \/ Forget(w, n)
  \/ \E d \in Deliveries, p \in Parts : Arrive(d, p)
  \/ \E d \in Deliveries : Lose(d) \/ Expire(d) \/ \E r \in Drivers : Take(r, d)
  \/ \E r \in Drivers : Judge(r) \/ Commit(r) \/ Answer(r) \/ GiveUp(r)

Spec == Init /\ [][Next]_vars

On(r, d) == work[r].delivery = d

\* Writers come again, messages arrive in the end, drivers do not give up for ever.
Fair ==
  /\ \A w \in Writers, n \in 1..MaxEvents : SF_vars(Leave(w, n)) /\ SF_vars(Ask(w, n, TRUE))
  /\ \A d \in Deliveries, p \in Parts : SF_vars(Arrive(d, p))
  /\ \A d \in Deliveries, r \in Drivers : SF_vars(Take(r, d))
  /\ \A d \in Deliveries, r \in Drivers :
       SF_vars(On(r, d) /\ Judge(r)) /\ SF_vars(On(r, d) /\ Commit(r)) /\ SF_vars(On(r, d) /\ Answer(r))

FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
(* What must hold *)

\* R20.
APartMovesTheLedgerOnce ==
  \A p \in Parts : billed[p] = IF acceptedBy[p] = NoOne THEN 0 ELSE 1

\* R20. However often it is delivered, lost and delivered again.
ADeliveryHasOneVerdict == \A d \in Deliveries : Cardinality(said[d]) <= 1

\* R20. What a writer was told is on record.
WhatIsAcknowledgedIsDurable ==
  \A d \in Deliveries : d[2] <= Len(written[d[1]]) =>
    /\ told[d] = "accepted"  => acceptedBy[PartOf(d)] = d
    /\ told[d] = "rejected"  => rejected[d] = PartOf(d)
    /\ told[d] = "duplicate" => acceptedBy[PartOf(d)] \notin {NoOne, d}

\* R22. A writer keeps an event until it was told.
NothingIsForgotten ==
  \A w \in Writers : alive[w] =>
    \A n \in 1..Len(written[w]) : n \in pending[w] \/ told[<<w, n>>] # "no"

\* R22. As long as its writer lives.
EveryEventIsClassified ==
  \A w \in Writers, n \in 1..MaxEvents :
    [](n <= Len(written[w]) => <>(told[<<w, n>>] # "no" \/ ~alive[w]))
=============================================================================
