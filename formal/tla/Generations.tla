----------------------------- MODULE Generations -----------------------------
(***************************************************************************)
(* What one instance believes of one principal: the snapshot map.          *)
(*                                                                         *)
(* The authority publishes, revokes and numbers both; it may also not know *)
(* the principal, before the first publication or for a while later. The   *)
(* instance reads it, several reads at once, whose answers come late and   *)
(* in any order; and it is pushed whatever was ever published, any number  *)
(* of times and in any order. It forgets whom nobody asks for, keeping the *)
(* watermark, and gives that history up when there is too much of it.      *)
(*                                                                         *)
(* A read begins when it is due: because of word, a miss, an answer that   *)
(* ran out, a refresh, or a read that was too old. Its epoch is here what  *)
(* it is good for: whether something was learnt of the principal since the *)
(* read began, and whether its history was given up.                       *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC

CONSTANTS
  Readers,       \* reads that may be under way at once
  MaxGeneration,
  MaxAbsences,   \* how often the authority ceases to know the principal
  Pushes,        \* whether what is published is pushed too
  Weakened       \* the guards a mutant leaves out; {} is the design

Mutations == {
  "OlderIsTaken",             \* only a generation that was revoked is refused
  "TombstoneLetsItsOwnBack",  \* a revocation does not refuse what it revoked
  "WatermarkForgotten",       \* nothing is kept of whom is forgotten
  "ReadsOfAnyAge",            \* a read from before history was given up opens it again
  "RevocationsOfAnyAge",      \* so does a revocation in one
  "UnknownEndsTheWait",       \* so does any snapshot, once the answer was that it is unknown
  "UnknownOfAnyAge",          \* an absence is believed whatever was learnt since the read began
  "PushOntoUnknown",          \* a push is believed although no generation is known here
  "AbsenceIsATombstone",      \* what was in force when the authority ceased to know it is refused
  "NegativesStay",            \* a negative answer does not run out
  "MissesUnheard",            \* a request for whom is not known here asks nobody
  "NoRefresh"}                \* whoever is in force is not read again

ASSUME Weakened \subseteq Mutations

Weak(mutation) == mutation \in Weakened

VARIABLES
  kinds,      \* authority: "published", "revoked" or "withdrawn", of each generation so far
  there,      \* authority: it knows the principal now
  absences,   \* how often it ceased to
  at,         \* map: "nothing", "active", "negative" or "history"
  watermark, tombstone, active,   \* map: generations, 0 for none
  read,       \* of each reader
  due,        \* it is to be read
  seen, buried   \* of all that was ever accepted here: the newest, and the newest revocation

authority == <<kinds, there, absences>>
map  == <<at, watermark, tombstone, active>>
past == <<seen, buried>>
vars == <<authority, map, read, due, past>>

Idle == [at |-> "idle", value |-> 0, revoked |-> FALSE, upTo |-> 0, learnt |-> FALSE, givenUp |-> FALSE]

Max(a, b) == IF a > b THEN a ELSE b

Newest == Len(kinds)

Init ==
  /\ kinds     = <<>>
  /\ there     = FALSE
  /\ absences  = 0
  /\ at        = "nothing"
  /\ watermark = 0
  /\ tombstone = 0
  /\ active    = 0
  /\ read      = [r \in Readers |-> Idle]
  /\ due       = FALSE
  /\ seen      = 0
  /\ buried    = 0

-----------------------------------------------------------------------------
(* The authority *)

Publish ==
  /\ Newest < MaxGeneration
  /\ kinds' = Append(kinds, "published")
  /\ there' = TRUE
  /\ UNCHANGED <<absences, map, read, due, past>>

Revoke ==
  /\ there /\ kinds[Newest] = "published" /\ Newest < MaxGeneration
  /\ kinds' = Append(kinds, "revoked")
  /\ UNCHANGED <<there, absences, map, read, due, past>>

\* Revoked under the number it was published with.
Withdraw ==
  /\ there /\ kinds[Newest] = "published"
  /\ kinds' = [kinds EXCEPT ![Newest] = "withdrawn"]
  /\ UNCHANGED <<there, absences, map, read, due, past>>

Disappear ==
  /\ there /\ absences < MaxAbsences
  /\ there' = FALSE
  /\ absences' = absences + 1
  /\ UNCHANGED <<kinds, map, read, due, past>>

\* Assigned again unchanged, under the generation it had.
Return ==
  /\ ~there /\ Newest > 0
  /\ there' = TRUE
  /\ UNCHANGED <<kinds, absences, map, read, due, past>>

-----------------------------------------------------------------------------
(* The map *)

\* Of every read that is under way.
Mark(reads, learnt, givenUp) ==
  [r \in Readers |-> IF reads[r].at = "idle" THEN reads[r]
                     ELSE [reads[r] EXCEPT !.learnt = @ \/ learnt, !.givenUp = @ \/ givenUp]]

\* Whether a published generation is refused by what is remembered.
Refused(generation) ==
  \/ IF Weak("TombstoneLetsItsOwnBack") THEN generation < tombstone ELSE generation <= tombstone
  \/ generation < watermark /\ ~Weak("OlderIsTaken")

WasPublished(generation) == kinds[generation] \in {"published", "withdrawn"}
WasRevoked(generation)   == kinds[generation] \in {"revoked", "withdrawn"}

\* A snapshot that was not refused.
Accept(generation, reads) ==
  /\ at' = "active"
  /\ active' = generation
  /\ watermark' = generation
  /\ seen' = Max(seen, generation)
  /\ read' = Mark(reads, TRUE, FALSE)
  /\ UNCHANGED <<tombstone, buried>>

AcceptRevocation(generation, reads) ==
  /\ at' = "negative"
  /\ active' = 0
  /\ watermark' = generation
  /\ tombstone' = generation
  /\ seen' = Max(seen, generation)
  /\ buried' = Max(buried, generation)
  /\ read' = Mark(reads, TRUE, FALSE)

AcceptUnknown(reads) ==
  /\ at' = "negative"
  /\ active' = 0
  /\ tombstone' = IF Weak("AbsenceIsATombstone") THEN watermark ELSE tombstone
  /\ read' = Mark(reads, TRUE, FALSE)
  /\ UNCHANGED <<watermark, past>>

\* A negative answer runs out and is asked anew; a snapshot nobody asks for is dropped.
Forget ==
  /\ at = "active" \/ (at = "negative" /\ ~Weak("NegativesStay"))
  /\ at' = "history"
  /\ active' = 0
  /\ watermark' = IF Weak("WatermarkForgotten") THEN 0 ELSE watermark
  /\ tombstone' = IF Weak("WatermarkForgotten") THEN 0 ELSE tombstone
  /\ due' = (due \/ at = "negative")
  /\ UNCHANGED <<authority, read, past>>

RunOut == at = "negative" /\ Forget

GiveUp ==
  /\ at = "history"
  /\ at' = "nothing"
  /\ watermark' = 0
  /\ tombstone' = 0
  /\ read' = Mark(read, FALSE, TRUE)
  /\ UNCHANGED <<authority, active, due, past>>

\* Late, again, in any order: whatever was ever published. It is a hint where no generation
\* is known, or only history.
Pushed ==
  /\ Pushes
  /\ IF at \in {"nothing", "history"} \/ (watermark = 0 /\ ~Weak("PushOntoUnknown"))
     THEN due' = TRUE /\ UNCHANGED <<map, read, past>>
     ELSE /\ UNCHANGED due
          /\ \E generation \in 1..Newest :
               \/ /\ WasPublished(generation) /\ ~Refused(generation)
                  /\ Accept(generation, read)
               \/ /\ WasRevoked(generation) /\ generation >= watermark
                  /\ AcceptRevocation(generation, read)
  /\ UNCHANGED authority

-----------------------------------------------------------------------------
(* Reads *)

\* Word that something changed. It may come late, twice or never.
Word ==
  /\ due' = TRUE
  /\ UNCHANGED <<authority, map, read, past>>

\* A request asks for somebody who is not known here.
Miss ==
  /\ at \in {"nothing", "history"} /\ ~Weak("MissesUnheard")
  /\ due' = TRUE
  /\ UNCHANGED <<authority, map, read, past>>

\* Everybody with a snapshot is read again within the refresh interval.
Refresh ==
  /\ at = "active" /\ ~Weak("NoRefresh")
  /\ due' = TRUE
  /\ UNCHANGED <<authority, map, read, past>>

Begin(r) ==
  /\ due /\ read[r].at = "idle"
  /\ due' = FALSE
  /\ read' = [read EXCEPT ![r].at = "asked"]
  /\ UNCHANGED <<authority, map, past>>

\* The authority is looked at, in one view.
Look(r) ==
  /\ read[r].at = "asked"
  /\ read' = [read EXCEPT ![r].at = "looked",
                          ![r].value = IF there THEN Newest ELSE 0,
                          ![r].revoked = there /\ WasRevoked(Newest),
                          ![r].upTo = IF there THEN 0 ELSE Newest]
  /\ UNCHANGED <<authority, map, due, past>>

\* The answer, or none.
Answer(r) ==
  LET value   == read[r].value
      others  == [read EXCEPT ![r] = Idle]
      old     == read[r].givenUp
      tooOld  == CASE value = 0 ->
                        (read[r].learnt /\ ~Weak("UnknownOfAnyAge")) \/ old
                   [] read[r].revoked ->
                        old /\ ~Weak("RevocationsOfAnyAge")
                   [] OTHER ->
                        old /\ ~Weak("ReadsOfAnyAge")
                        /\ (at = "nothing" \/ ~Weak("UnknownEndsTheWait"))
  IN
  /\ read[r].at = "looked"
  /\ IF tooOld
     THEN due' = TRUE /\ read' = others /\ UNCHANGED <<map, past>>
     ELSE /\ UNCHANGED due
          /\ CASE value = 0 -> AcceptUnknown(others)
               [] read[r].revoked ->
                    IF value < watermark
                    THEN read' = others /\ UNCHANGED <<map, past>>
                    ELSE AcceptRevocation(value, others)
               [] OTHER ->
                    IF Refused(value)
                    THEN read' = others /\ UNCHANGED <<map, past>>
                    ELSE Accept(value, others)
  /\ UNCHANGED authority

Fail(r) ==
  /\ read[r].at # "idle"
  /\ read' = [read EXCEPT ![r] = Idle]
  /\ due' = TRUE
  /\ UNCHANGED <<authority, map, past>>

-----------------------------------------------------------------------------

Next ==
  \/ Publish \/ Revoke \/ Withdraw \/ Disappear \/ Return
  \/ Forget \/ GiveUp \/ Pushed
  \/ Word \/ Miss \/ Refresh
  \/ \E r \in Readers : Begin(r) \/ Look(r) \/ Answer(r) \/ Fail(r)

Spec == Init /\ [][Next]_vars

\* Reads do not fail for ever, requests come again, answers run out.
Fair ==
  /\ SF_vars(RunOut) /\ WF_vars(Miss) /\ WF_vars(Refresh) /\ WF_vars(Return)
  /\ WF_vars(\E r \in Readers : Begin(r))
  /\ \A r \in Readers : SF_vars(Look(r)) /\ SF_vars(Answer(r))

FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
(* What must hold *)

\* R37. Also when its history was given up in between.
ARevokedGenerationNeverComesBack == active > 0 => active > buried

\* R37. What is in force is the newest of all that was ever accepted here.
NothingInForceIsOlderThanWhatWasSeen == active > 0 => active = seen

WhatIsInForceWasPublished ==
  /\ at = "active" <=> active > 0
  /\ active > 0 => active <= Newest /\ WasPublished(active)

\* R37. While it is remembered.
TheWatermarkNeverFalls ==
  [][at # "nothing" /\ at' # "nothing" => watermark' >= watermark]_vars

\* R37. An "unknown" takes nothing away that was published after the authority was asked.
ALateUnknownDisplacesNothingNewer ==
  [][at = "active" /\ at' = "negative" /\ seen' = seen /\ buried' = buried /\ watermark' = watermark =>
       \E r \in Readers : read[r].at = "looked" /\ read'[r].at = "idle" /\ active <= read[r].upTo]_vars

\* R38. Whatever was missed, lost or forgotten: again and again it is as the authority says,
\* also if that is the generation it had before.
TheMapHeals ==
  []<>(IF there /\ kinds[Newest] = "published" THEN active = Newest ELSE at # "active")
=============================================================================
