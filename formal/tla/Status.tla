-------------------------------- MODULE Status --------------------------------
(***************************************************************************)
(* Whether an account takes part: its status in the ledger, and what one   *)
(* instance makes of it.                                                   *)
(*                                                                         *)
(* The ledger changes status and terms, each time with a new generation,   *)
(* and refuses commands by status. The instance hears word of a change,    *)
(* late, in any order, or never; word says nothing but that something      *)
(* changed. It reads: one read at a time, which may fail or be answered    *)
(* after later changes. It is offered old policies by other ways as well.  *)
(* In rounds it reads everything again. A publisher of snapshots looks at  *)
(* the account first and keeps it as it is until the snapshot is stored.   *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC

CONSTANTS
  Total,          \* units of the account
  MaxGeneration,  \* of its policy
  MaxSnapshots,
  Weakened        \* the guards a mutant leaves out; {} is the design

Mutations == {
  "SuspendedAcquires",       \* a suspended account acquires
  "ClosedKeepsUnits",        \* a closed account takes nothing back
  "ClosedReopens",           \* a closed account is made active again
  "OlderIsTaken",            \* only the very same generation is not taken again
  "StatusIsAskedOnce",       \* admission goes by the status its request began under
  "SnapshotCarriesStatus",   \* a snapshot brings the status its publisher saw
  "JudgedWithoutLock",       \* the account may change while a snapshot of it is published
  "EarlierReadCounts",       \* a round takes a read for its own that began before it
  "FailedReadIsDone",        \* what a failed read was for is not due any more
  "WordDuringAReadIsDone"}   \* word that comes during a read is answered by it

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

None == "none"

VARIABLES
  history,    \* ledger: the status of each generation so far
  balance, outstanding, spent,   \* ledger: units
  publisher,  \* what it saw, if it is at work, and the snapshots it has stored
  known,      \* instance: generation of the policy in force
  shown,      \* instance: the status requests are told
  words,      \* changes of which word is under way
  heard,      \* the newest change of which word has come
  due,        \* the policy is to be read
  read,       \* the read under way
  round,      \* the newest change when the round under way began; -1 if there is none
  assured,    \* the same of all rounds that have ended
  request,    \* the status a request began under, if one has
  admitted    \* the status in force when the last request was admitted

units    == <<balance, outstanding, spent>>
ledger   == <<history, units>>
learning == <<words, heard, due, read, round, assured>>
requests == <<request, admitted>>
vars     == <<ledger, publisher, known, shown, learning, requests>>

Newest == Len(history)
Status == history[Newest]
NoRead == [at |-> None, value |-> 0]

Max(a, b) == IF a > b THEN a ELSE b

Init ==
  /\ history     = <<"active">>
  /\ balance     = Total
  /\ outstanding = 0
  /\ spent       = 0
  /\ publisher   = [saw |-> None, stored |-> 0, carries |-> None, over |-> None]
  /\ known       = 1
  /\ shown       = "active"
  /\ words       = {}
  /\ heard       = 1
  /\ due         = FALSE
  /\ read        = NoRead
  /\ round       = -1
  /\ assured     = 1
  /\ request     = None
  /\ admitted    = None

-----------------------------------------------------------------------------
(* The ledger *)

\* StatusRules.
TakesALease == {"acquire", "consolidate"}
WindsDown   == {"return", "release", "usage", "credit", "reclaim", "cross"}
Others      == {"deposit", "renew", "schedule", "policy"}
Commands    == TakesALease \cup WindsDown \cup Others

Allowed(command) ==
  CASE Status = "active" -> TRUE
    [] Status = "suspended" -> command \notin TakesALease \/ Weak("SuspendedAcquires")
    [] OTHER -> (command \in WindsDown /\ ~Weak("ClosedKeepsUnits"))
                \/ (command = "policy" /\ Weak("ClosedReopens"))

\* While a snapshot is published, the account's row is locked.
Unlocked == publisher.saw = None \/ Weak("JudgedWithoutLock")

\* A change of status or terms: the next generation, and word of it.
Change(status) ==
  /\ Newest < MaxGeneration /\ Unlocked
  /\ Allowed("policy")
  /\ history' = Append(history, status)
  /\ words' = words \cup {Newest + 1}
  /\ UNCHANGED <<units, publisher, known, shown, heard, due, read, round, assured, requests>>

\* Commands are on their way for any time, so their senders may have believed anything.
Lease ==
  /\ Unlocked /\ balance > 0
  /\ \E command \in TakesALease : Allowed(command)
  /\ balance' = balance - 1
  /\ outstanding' = outstanding + 1
  /\ UNCHANGED <<history, spent, publisher, known, shown, learning, requests>>

BringHome ==
  /\ Unlocked /\ outstanding > 0
  /\ outstanding' = outstanding - 1
  /\ \/ /\ Allowed("return")
        /\ balance' = balance + 1
        /\ UNCHANGED spent
     \/ /\ Allowed("usage")
        /\ spent' = spent + 1
        /\ UNCHANGED balance
  /\ UNCHANGED <<history, publisher, known, shown, learning, requests>>

-----------------------------------------------------------------------------
(* Publication of a snapshot that names the account *)

JudgeSnapshot ==
  /\ publisher.saw = None /\ publisher.stored < MaxSnapshots
  /\ Status # "closed"
  /\ publisher' = [publisher EXCEPT !.saw = Status]
  /\ UNCHANGED <<ledger, known, shown, learning, requests>>

StoreSnapshot ==
  /\ publisher.saw # None
  /\ publisher' = [saw |-> None, stored |-> publisher.stored + 1, carries |-> publisher.saw,
                   over |-> Status]
  /\ UNCHANGED <<ledger, known, shown, learning, requests>>

\* The instance reads it, perhaps late. It says whose units pay, and nothing of the account.
TakeSnapshot ==
  /\ publisher.stored > 0
  /\ shown' = IF Weak("SnapshotCarriesStatus") THEN publisher.carries ELSE shown
  /\ UNCHANGED <<ledger, publisher, known, learning, requests>>

-----------------------------------------------------------------------------
(* What the instance learns *)

Take(generation) ==
  IF generation > known \/ (Weak("OlderIsTaken") /\ generation # known)
  THEN known' = generation /\ shown' = history[generation]
  ELSE UNCHANGED <<known, shown>>

\* Some policy by another way: with a principal's answer, or from who opened the account.
Offer(generation) ==
  /\ generation <= Newest
  /\ Take(generation)
  /\ UNCHANGED <<ledger, publisher, learning, requests>>

\* Word comes, in any order, perhaps again; or it is lost.
Hear(change) ==
  /\ change \in words
  /\ heard' = Max(heard, change)
  /\ due' = (due \/ ~(Weak("WordDuringAReadIsDone") /\ read.at # None))
  /\ \/ words' = words \ {change}
     \/ UNCHANGED words
  /\ UNCHANGED <<ledger, publisher, known, shown, read, round, assured, requests>>

Lose(change) ==
  /\ change \in words
  /\ words' = words \ {change}
  /\ UNCHANGED <<ledger, publisher, known, shown, heard, due, read, round, assured, requests>>

\* Everything is read again; by reads that begin now.
BeginRound ==
  /\ round = -1
  /\ read.at = None \/ Weak("EarlierReadCounts")
  /\ round' = Newest
  /\ due' = (read.at = None \/ due)
  /\ UNCHANGED <<ledger, publisher, known, shown, words, heard, read, assured, requests>>

Ask ==
  /\ due /\ read.at = None
  /\ due' = FALSE
  /\ read' = [at |-> "asked", value |-> 0]
  /\ UNCHANGED <<ledger, publisher, known, shown, words, heard, round, assured, requests>>

\* PostgreSQL is looked at; the answer may take long after that.
Look ==
  /\ read.at = "asked"
  /\ read' = [at |-> "looked", value |-> Newest]
  /\ UNCHANGED <<ledger, publisher, known, shown, words, heard, due, round, assured, requests>>

Ends == round >= 0 /\ ~due'

EndIfRead ==
  IF Ends THEN round' = -1 /\ assured' = Max(assured, round) ELSE UNCHANGED <<round, assured>>

Answer ==
  /\ read.at = "looked"
  /\ read' = NoRead
  /\ Take(read.value)
  /\ UNCHANGED due
  /\ EndIfRead
  /\ UNCHANGED <<ledger, publisher, words, heard, requests>>

Fail ==
  /\ read.at # None
  /\ read' = NoRead
  /\ due' = (due \/ ~Weak("FailedReadIsDone"))
  /\ EndIfRead
  /\ UNCHANGED <<ledger, publisher, known, shown, words, heard, requests>>

-----------------------------------------------------------------------------
(* Requests *)

Begin ==
  /\ request = None /\ shown = "active"
  /\ request' = shown
  /\ UNCHANGED <<ledger, publisher, known, shown, learning, admitted>>

Admit ==
  /\ request # None
  /\ request' = None
  /\ admitted' = IF (IF Weak("StatusIsAskedOnce") THEN request ELSE shown) = "active"
                 THEN history[known] ELSE None
  /\ UNCHANGED <<ledger, publisher, known, shown, learning>>

-----------------------------------------------------------------------------

Next ==
  \/ \E status \in {"active", "suspended", "closed"} : Change(status)
  \/ Lease \/ BringHome
  \/ JudgeSnapshot \/ StoreSnapshot \/ TakeSnapshot
  \/ \E generation \in 1..MaxGeneration : Offer(generation) \/ Hear(generation) \/ Lose(generation)
  \/ BeginRound \/ Ask \/ Look \/ Answer \/ Fail
  \/ Begin \/ Admit

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold *)

\* R18. Row by row.
NothingIsLeasedUnlessActive == [][outstanding' > outstanding => Status = "active"]_vars

UnitsAlwaysComeHome ==
  \A command \in {"return", "release", "usage", "credit", "reclaim", "cross"} : Allowed(command)

AClosedAccountOnlyWindsDown ==
  Status = "closed" =>
    \A command \in {"acquire", "consolidate", "deposit", "renew", "schedule", "policy"} :
      ~Allowed(command)

TheBooksBalance ==
  balance + outstanding + spent = Total /\ balance >= 0 /\ outstanding >= 0

ClosedIsTerminal == [][Status = "closed" => Status' = "closed"]_vars

\* R37.
GenerationsNeverGoBackward == [][known' >= known]_vars

\* R18. Once the newest policy was accepted here, requests are judged by it and no other.
NobodyIsAdmittedUnderAnOlderStatus == admitted \in {None, "active"}

APublicationChangesNoStatus == shown = history[known]

NothingIsPublishedForAClosedAccount == publisher.over # "closed"

\* R18. After a round that began after the change, at the latest.
ARoundLeavesNothingOlder == known >= assured

\* R18. Word of a change that has come is followed by a read that began after it.
WordIsFollowedByARead == ~due /\ read.at = None => known >= heard
=============================================================================
