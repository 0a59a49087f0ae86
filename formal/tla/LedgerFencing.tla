---------------------------- MODULE LedgerFencing ----------------------------
(***************************************************************************)
(* Who may write one account, and what an answer is worth.                 *)
(*                                                                         *)
(* PostgreSQL is the authority: a row (version, balance), the journal that *)
(* produced it, and the fence of the account's partition. Members hold a   *)
(* copy of the row in memory and believe to own the partition; nothing     *)
(* here says that only one does. A member draws a fence (from CP or from   *)
(* PostgreSQL), loads the row under it, processes commands and hands each  *)
(* transition to the committer: lock, check, write.                        *)
(*                                                                         *)
(* Faults are actions. A member may be slow for ever, so a paused owner is *)
(* one that takes no step; split brain and A -> B -> A are two members     *)
(* that draw in turn. CP may forget everything. A transaction whose member *)
(* is gone may still commit. A value may be stored and never applied.      *)
(*                                                                         *)
(* A definite failure (NO_FENCE, FENCED, STALE, UNAVAILABLE) returns the   *)
(* command to the state before its attempt. Version 0 is the absent row.   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Members,
  Deposits,      \* commands that add one unit
  Acquires,      \* commands that take one unit, or are refused
  MaxDeposits,   \* how often a client sends one deposit
  MaxAcquires,   \* how often it sends one acquire
  MaxFence,      \* how many fences a run may use
  Weakened       \* the guards a mutant leaves out; {} is the design

Mutations == {
  "NoVersionCheck",         \* a write does not compare versions
  "NoFenceCheck",           \* the committer does not compare fences
  "FenceBeforeLock",        \* the fence is read before the lock is held
  "UpsertInsteadOfInsert",  \* an id that exists does not stop a write
  "AnswersUnchecked",       \* a refusal is answered from memory alone
  "CheckIgnoresOwnId",      \* a check does not look for the command's own id
  "KeepFenceAfterUnknown",  \* a store of unknown outcome leaves the fence held
  "KeepFenceWhenPartitionLeaves",
  "UnknownTreatedAsFailed", \* no answer is taken for a refusal
  "RefusalAfterUnknownBelieved",
  "ExpiryByOneClock",       \* one member's clock alone says not_after is over
  "WriteAfterNotAfter",     \* the committer does not compare not_after with its clock
  "RaiseWithoutCompare",    \* the barrier accepts a fence that is not higher
  "AckBeforeCommit"}        \* the client hears of a write before it is durable

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

Commands == Deposits \cup Acquires
Delta(c) == IF c \in Deposits THEN 1 ELSE -1
Symmetry == Permutations(Members)

VARIABLES
  row,      \* PostgreSQL: version and balance of the account
  journal,  \* PostgreSQL: the commands applied, in order
  fences,   \* PostgreSQL: every fence ever raised; the last one is in force
  doomed,   \* PostgreSQL: write transactions nobody waits for any more
  drawn,    \* member: a fence drawn from CP and not yet raised, or 0
  held,     \* member: the fence it writes under, or 0
  memory,   \* member: the entry, stamped with the fence it was loaded under
  running,  \* member: the one transition its store works on
  sent,     \* client: attempts on their way or in a member's queue
  attempt,  \* client: number of the latest attempt
  outcome,  \* client: what it knows of its command
  time,     \* the store's clock: "before" not_after - skew, "around" it, "after" not_after + skew
  lies      \* history: evidence that differed from the row when it was given

vars == <<row, journal, fences, doomed, drawn, held, memory, running,
          sent, attempt, outcome, time, lies>>

postgres == <<row, journal, fences, doomed>>
client   == <<attempt, outcome>>

None  == [kind |-> "none"]
Empty == [fence |-> 0]

Fence   == IF fences = <<>> THEN 0 ELSE fences[Len(fences)]
Applied == {journal[i] : i \in 1..Len(journal)}

Init ==
  /\ row     = [version |-> 0, balance |-> 0]
  /\ journal = <<>>
  /\ fences  = <<>>
  /\ doomed  = {}
  /\ drawn   = [m \in Members |-> 0]
  /\ held    = [m \in Members |-> 0]
  /\ memory  = [m \in Members |-> Empty]
  /\ running = [m \in Members |-> None]
  /\ sent    = [c \in Commands |-> {}]
  /\ attempt = [c \in Commands |-> 0]
  /\ outcome = [c \in Commands |-> "idle"]
  /\ time    = "before"
  /\ lies    = {}

-----------------------------------------------------------------------------
(* Fences *)

\* Shared advisory locks are held by every transaction that has begun; a raise
\* needs the exclusive one and so waits for all of them to end.
NoLockHeld ==
  \/ Weak("FenceBeforeLock")
  \/ /\ \A m \in Members : running[m].kind = "write" => running[m].stage = "queued"
     /\ \A t \in doomed : t.stage = "queued"

\* alterAndGet(v -> max(v, floor) + 1), with PostgreSQL's fence as the floor. CP may
\* forget everything at any time, so a draw is worth no more than a number above
\* the floor: nothing here relies on two draws being different.
Draw(m) ==
  /\ held[m] = 0 /\ drawn[m] = 0
  /\ \E f \in (Fence + 1)..MaxFence : drawn' = [drawn EXCEPT ![m] = f]
  /\ UNCHANGED <<postgres, held, memory, running, sent, client, time, lies>>

\* The barrier: SET fence = f WHERE fence < f, exactly one row, else redraw.
Raise(m) ==
  /\ drawn[m] # 0 /\ NoLockHeld
  /\ drawn' = [drawn EXCEPT ![m] = 0]
  /\ IF drawn[m] > Fence \/ Weak("RaiseWithoutCompare")
     THEN /\ fences' = Append(fences, drawn[m])
          /\ held' = [held EXCEPT ![m] = drawn[m]]
     ELSE UNCHANGED <<fences, held>>
  /\ UNCHANGED <<row, journal, doomed, memory, running, sent, client, time, lies>>

\* Without CP, PostgreSQL issues: SET fence = fence + 1 RETURNING fence.
Issue(m) ==
  /\ held[m] = 0 /\ drawn[m] = 0 /\ NoLockHeld
  /\ Fence < MaxFence
  /\ fences' = Append(fences, Fence + 1)
  /\ held' = [held EXCEPT ![m] = Fence + 1]
  /\ UNCHANGED <<row, journal, doomed, drawn, memory, running, sent, client, time, lies>>

-----------------------------------------------------------------------------
(* A member *)

\* Gives up the fence. An entry loaded under it can never match again, because a
\* fence is never reused, so the model forgets it as well.
DropFence(m) ==
  /\ held' = [held EXCEPT ![m] = 0]
  /\ memory' = [memory EXCEPT ![m] = Empty]

Load(m) ==
  /\ running[m] = None /\ held[m] # 0
  /\ memory' = [memory EXCEPT ![m] =
       [fence |-> held[m], version |-> row.version, balance |-> row.balance]]
  /\ UNCHANGED <<postgres, drawn, held, running, sent, client, time, lies>>

\* An answer reaches the client only if it still waits for that very attempt.
Awaited(c, n) == outcome[c] = "waiting" /\ attempt[c] = n

Answer(c, n, known) ==
  outcome' = IF Awaited(c, n) THEN [outcome EXCEPT ![c] = known] ELSE outcome

\* A refusal is definite if no other attempt of the command can still act: there
\* was none, or the store's clock says that not_after is over everywhere.
Refusal(t) ==
  IF \/ t.attempt = 1
     \/ t.kind = "expired" /\ (time = "after" \/ Weak("ExpiryByOneClock"))
     \/ Weak("RefusalAfterUnknownBelieved")
  THEN "refused" ELSE "unknown"

Transition(m, c, n, kind) ==
  [kind |-> kind, command |-> c, attempt |-> n, stage |-> "queued",
   fence |-> memory[m].fence, version |-> memory[m].version,
   balance |-> memory[m].balance + (IF kind = "write" THEN Delta(c) ELSE 0)]

\* What the processor makes of a command: a new balance, a refusal or, if its own
\* clock is past not_after, an expiry. No bound is put on how slow that clock is.
Kinds(m, c) ==
  {IF memory[m].balance + Delta(c) >= 0 THEN "write" ELSE "refuse"}
  \cup (IF time = "before" THEN {} ELSE {"expired"})

Process(m, c, n) ==
  /\ running[m] = None
  /\ held[m] # 0 /\ memory[m].fence = held[m]
  /\ sent' = [sent EXCEPT ![c] = @ \ {n}]
  /\ \E kind \in Kinds(m, c) :
       LET t == Transition(m, c, n, kind) IN
       IF kind = "refuse" /\ Weak("AnswersUnchecked")
       THEN /\ Answer(c, n, Refusal(t))
            /\ lies' = IF t.balance = row.balance THEN lies ELSE lies \cup {c}
            /\ UNCHANGED running
       ELSE /\ running' = [running EXCEPT ![m] = t]
            /\ IF kind = "write" /\ Weak("AckBeforeCommit")
               THEN Answer(c, n, "done") ELSE UNCHANGED outcome
            /\ UNCHANGED lies
  /\ UNCHANGED <<postgres, drawn, held, memory, attempt, time>>

-----------------------------------------------------------------------------
(* The committer: lock, check, write *)

FenceHolds(t) == t.fence = Fence \/ Weak("NoFenceCheck")
InTime        == time # "after" \/ Weak("WriteAfterNotAfter")

\* A definite failure: the entry is evicted and the same attempt goes round again.
GoesRound(m, t) ==
  /\ running' = [running EXCEPT ![m] = None]
  /\ sent' = [sent EXCEPT ![t.command] = @ \cup {t.attempt}]

Fenced(m, t) == GoesRound(m, t) /\ DropFence(m)

Stale(m, t) ==
  /\ GoesRound(m, t)
  /\ memory' = [memory EXCEPT ![m] = Empty]
  /\ UNCHANGED held

\* Takes the shared lock, then reads the fence in a later statement. From here on
\* the transaction may commit however long it takes.
Begin(m) ==
  LET t == running[m] IN
  /\ t.kind = "write" /\ t.stage = "queued"
  /\ IF ~FenceHolds(t) THEN Fenced(m, t)
     ELSE /\ IF InTime
             THEN /\ running' = [running EXCEPT ![m].stage = "begun"]
                  /\ UNCHANGED sent
             ELSE GoesRound(m, t)  \* TOO_LATE
          /\ UNCHANGED <<held, memory>>
  /\ UNCHANGED <<postgres, drawn, client, time, lies>>

\* The row lock makes comparing and writing one step.
WriteVersionHolds(t) == t.version = row.version \/ Weak("NoVersionCheck")
IdIsNew(t)           == t.command \notin Applied \/ Weak("UpsertInsteadOfInsert")

Write(t) ==
  /\ row' = [version |-> t.version + 1, balance |-> t.balance]
  /\ journal' = Append(journal, t.command)

Commit(m) ==
  LET t == running[m] IN
  /\ t.kind = "write" /\ t.stage = "begun"
  /\ \/ \* written; the value is applied and the answer sent
        /\ WriteVersionHolds(t) /\ IdIsNew(t)
        /\ Write(t)
        /\ running' = [running EXCEPT ![m] = None]
        /\ memory' = [memory EXCEPT ![m] =
             [fence |-> t.fence, version |-> t.version + 1, balance |-> t.balance]]
        /\ Answer(t.command, t.attempt, "done")
        /\ UNCHANGED <<held, sent>>
     \/ \* written, but a migration rolled back or split-brain protection struck
        \* before the value was applied: memory is behind under a valid fence
        /\ WriteVersionHolds(t) /\ IdIsNew(t)
        /\ Write(t)
        /\ running' = [running EXCEPT ![m] = None]
        /\ Answer(t.command, t.attempt, "unknown")
        /\ UNCHANGED <<held, memory, sent>>
     \/ \* REPLAY: the id is there already, its first receipt is the answer
        /\ WriteVersionHolds(t) /\ ~IdIsNew(t)
        /\ running' = [running EXCEPT ![m] = None]
        /\ Answer(t.command, t.attempt, "done")
        /\ UNCHANGED <<row, journal, held, memory, sent>>
     \/ /\ ~WriteVersionHolds(t)
        /\ Stale(m, t)
        /\ UNCHANGED <<row, journal, outcome>>
  /\ UNCHANGED <<fences, doomed, drawn, attempt, time, lies>>

\* A check transition writes nothing: fence, version and the absence of the id
\* are read under the shared lock, which lets it be one step here.
Check(m) ==
  LET t == running[m] IN
  /\ t.kind \in {"refuse", "expired"}
  /\ IF ~FenceHolds(t) THEN Fenced(m, t) /\ UNCHANGED <<outcome, lies>>
     ELSE IF t.version # row.version THEN Stale(m, t) /\ UNCHANGED <<outcome, lies>>
     ELSE /\ running' = [running EXCEPT ![m] = None]
          /\ IF t.command \in Applied /\ ~Weak("CheckIgnoresOwnId")
             THEN Answer(t.command, t.attempt, "done") /\ UNCHANGED lies
             ELSE /\ Answer(t.command, t.attempt, Refusal(t))
                  /\ lies' = IF t.balance = row.balance THEN lies ELSE lies \cup {t.command}
          /\ UNCHANGED <<held, memory, sent>>
  /\ UNCHANGED <<postgres, drawn, attempt, time>>

-----------------------------------------------------------------------------
(* Transactions whose member stopped waiting *)

Abandoned(t) == [command |-> t.command, fence |-> t.fence, version |-> t.version,
                 balance |-> t.balance, stage |-> t.stage]

DoomedBegins(t) ==
  /\ t.stage = "queued"
  /\ doomed' = (doomed \ {t}) \cup
       (IF FenceHolds(t) /\ InTime THEN {[t EXCEPT !.stage = "begun"]} ELSE {})
  /\ UNCHANGED <<row, journal, fences, drawn, held, memory, running, sent, client, time, lies>>

DoomedCommits(t) ==
  /\ t.stage = "begun"
  /\ WriteVersionHolds(t) /\ IdIsNew(t)
  /\ Write(t)
  /\ doomed' = doomed \ {t}
  /\ UNCHANGED <<fences, drawn, held, memory, running, sent, client, time, lies>>

DoomedAborts(t) ==
  /\ doomed' = doomed \ {t}
  /\ UNCHANGED <<row, journal, fences, drawn, held, memory, running, sent, client, time, lies>>

-----------------------------------------------------------------------------
(* Faults of a member *)

\* The connection broke or COMMIT answered with an error: nobody knows.
StoreUnknown(m) ==
  LET t == running[m] IN
  /\ t.kind = "write" /\ t.stage = "begun"
  /\ doomed' = doomed \cup {Abandoned(t)}
  /\ running' = [running EXCEPT ![m] = None]
  /\ IF Weak("KeepFenceAfterUnknown") THEN UNCHANGED <<held, memory>> ELSE DropFence(m)
  /\ Answer(t.command, t.attempt, "unknown")
  /\ UNCHANGED <<row, journal, fences, drawn, sent, attempt, time, lies>>

\* The partition leaves (and may come back): what its store works on goes on
\* without it. Migration, MERGED and lost split-brain protection alike.
PartitionLeaves(m) ==
  /\ held[m] # 0
  /\ doomed' = IF running[m].kind = "write"
               THEN doomed \cup {Abandoned(running[m])} ELSE doomed
  /\ running' = [running EXCEPT ![m] = None]
  /\ IF Weak("KeepFenceWhenPartitionLeaves") THEN UNCHANGED <<held, memory>> ELSE DropFence(m)
  /\ UNCHANGED <<row, journal, fences, drawn, sent, client, time, lies>>

\* Only what PostgreSQL has already begun can outlive the process.
Crash(m) ==
  /\ held[m] # 0 \/ drawn[m] # 0
  /\ doomed' = IF running[m].kind = "write" /\ running[m].stage = "begun"
               THEN doomed \cup {Abandoned(running[m])} ELSE doomed
  /\ running' = [running EXCEPT ![m] = None]
  /\ drawn' = [drawn EXCEPT ![m] = 0]
  /\ DropFence(m)
  /\ UNCHANGED <<row, journal, fences, sent, client, time, lies>>

-----------------------------------------------------------------------------
(* The client *)

Send(c) ==
  /\ outcome[c] \in {"idle", "unknown"}
  /\ attempt[c] < IF c \in Deposits THEN MaxDeposits ELSE MaxAcquires
  /\ attempt' = [attempt EXCEPT ![c] = @ + 1]
  /\ sent' = [sent EXCEPT ![c] = @ \cup {attempt'[c]}]
  /\ outcome' = [outcome EXCEPT ![c] = "waiting"]
  /\ UNCHANGED <<postgres, drawn, held, memory, running, time, lies>>

\* The future ended without a code, or its member left. The attempt may still act.
NoAnswer(c) ==
  /\ outcome[c] = "waiting"
  /\ outcome' = [outcome EXCEPT ![c] =
       IF Weak("UnknownTreatedAsFailed") THEN "refused" ELSE "unknown"]
  /\ UNCHANGED <<postgres, drawn, held, memory, running, sent, attempt, time, lies>>

Tick ==
  /\ time # "after"
  /\ time' = IF time = "before" THEN "around" ELSE "after"
  /\ UNCHANGED <<postgres, drawn, held, memory, running, sent, client, lies>>

-----------------------------------------------------------------------------

Next ==
  \/ \E m \in Members :
       \/ Draw(m) \/ Raise(m) \/ Issue(m) \/ Load(m)
       \/ \E c \in Commands : \E n \in sent[c] : Process(m, c, n)
       \/ Begin(m) \/ Commit(m) \/ Check(m)
       \/ StoreUnknown(m) \/ PartitionLeaves(m) \/ Crash(m)
  \/ \E t \in doomed : DoomedBegins(t) \/ DoomedCommits(t) \/ DoomedAborts(t)
  \/ \E c \in Commands : Send(c) \/ NoAnswer(c)
  \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold *)

Count(c) == Cardinality({i \in 1..Len(journal) : journal[i] = c})

RECURSIVE Sum(_)
Sum(commands) == IF commands = <<>> THEN 0 ELSE Delta(Head(commands)) + Sum(Tail(commands))

AnAcknowledgedWriteIsInTheJournal ==
  \A c \in Commands : outcome[c] = "done" => c \in Applied

NoCommandIsAppliedTwice ==
  \A c \in Commands : Count(c) <= 1

\* Every version was computed from the one before it.
TheRowIsTheFoldOfItsJournal ==
  /\ row.version = Len(journal)
  /\ row.balance = Sum(journal)
  /\ row.balance >= 0

EvidenceAgreesWithTheRowItWasCheckedAgainst == lies = {}

ADefiniteRefusalIsNeverInTheJournal ==
  \A c \in Commands : outcome[c] = "refused" => c \notin Applied

AFenceIsNeverReused ==
  \A i, j \in 1..Len(fences) : i < j => fences[i] < fences[j]

NoTwoMembersHoldOneFence ==
  \A m, n \in Members : m # n /\ held[m] # 0 => held[m] # held[n]
=============================================================================
