-------------------------------- MODULE Claim --------------------------------
(* One unique value, its row, and clients that reserve it, confirm, extend or release it, while sweepers mark what is over.

   Requests and replies can be late or lost, and a request can reach the store twice. Some steps of the store are two statements on
   databases: one reads the row, the other changes it if it still has the version that was read.

   Time is a countdown: how many ticks a claim still runs by the store's clock. Clients have no clock here: they ask the store. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Clients,
  Sweepers,
  Ttl,             \* for how long a claim runs
  MostTokens,      \* how many claims are made: each has a token of its own
  MostChanges,     \* how often the row is changed
  MostLost,        \* how many replies get lost
  (* Planted bugs: FALSE in the library. *)
  ConfirmAny,           \* a confirm does not compare the token
  ConfirmOverdue,       \* a confirm does not look whether the claim is over
  ExtendOverdue,        \* an extend does not either
  ReleaseAny,           \* a release does not compare the token
  TakeUnread,           \* a take-over does not compare the version that was read
  TakeActive,           \* a take-over does not look whether the claim is over
  SweepUnread,          \* a sweep does not compare the version that was read
  LapseUnreported,      \* a take-over of a claim that was not marked does not report its end
  TokenUnknown,         \* a repeated reserve does not recognise its token
  DoubtByStatus         \* after a lost reply, any confirmed claim counts as the client's

VARIABLES
  row,      \* the row of the value
  tokens,   \* how many tokens were drawn
  me,       \* what each client knows, and what it does
  looks,    \* for each client and sweeper, the version that it read, and has not used yet; 0 is none
  late,     \* requests nobody waits for: each may reach the store at any time, any number of times
  ends,     \* for each claim, how often its end was reported: released, or expired
  changes,  \* how often the row was changed
  lost,     \* how many replies got lost
  denied,   \* whether a client was told that the value is taken, and it was its own claim that had it
  robbed    \* whether an active or confirmed claim was taken away from its owner

vars == <<row, tokens, me, looks, late, ends, changes, lost, denied, robbed>>

Max(a, b) == IF a > b THEN a ELSE b

\* left: how long a reserved claim runs. over: whether it was over at any time. claim: how many claims the value has had.
NoRow == [status |-> "none", token |-> 0, left |-> 0, version |-> 0, over |-> FALSE, claim |-> 0]

\* wants: what the client has asked for. reply: "none" while the store has not answered. doubt: whether a reply was lost.
Idle == [state |-> "idle", token |-> 0, wants |-> "", reply |-> "", doubt |-> FALSE]

Init ==
  /\ row = NoRow /\ tokens = 0
  /\ me = [c \in Clients |-> Idle]
  /\ looks = [x \in Clients \cup Sweepers |-> 0]
  /\ late = {} /\ ends = [claim \in 1..MostChanges |-> 0]
  /\ changes = 0 /\ lost = 0 /\ denied = FALSE /\ robbed = FALSE

Tick ==
  /\ row.status = "reserved" /\ row.left > 0
  /\ row' = [row EXCEPT !.left = @ - 1, !.over = row.left = 1]
  /\ UNCHANGED <<tokens, me, looks, late, ends, changes, lost, denied, robbed>>

IsActive == row.status = "reserved" /\ row.left > 0
IsOver == row.status = "reserved" /\ row.left = 0
IsFree == row.status \in {"none", "released", "expired"} \/ IsOver

Request(c) == [what |-> me[c].wants, token |-> me[c].token]

(* ---- The store: each of these is one statement on the row. ---- *)

May == changes < MostChanges

\* A take-over ends a claim that is over and was not marked: its end is reported in the same transaction. If it has the same token, it is
\* the same claim: a request for it was repeated.
Again(token) == IsOver /\ row.token = token
Taken(token) ==
  /\ May
  /\ row' = [status |-> "reserved", token |-> token, left |-> Ttl, version |-> row.version + 1, over |-> FALSE,
             claim |-> IF Again(token) THEN row.claim ELSE row.claim + 1]
  /\ ends' = IF row.status = "reserved" /\ ~Again(token) /\ ~LapseUnreported THEN [ends EXCEPT ![row.claim] = @ + 1] ELSE ends
  /\ robbed' = (robbed \/ IsActive \/ row.status = "confirmed")
  /\ changes' = changes + 1

\* The answers to a reserve when the row has an owner: the same token is the same request, whose reply was lost.
Reply(token) == IF row.token = token /\ ~TokenUnknown THEN "yes" ELSE "no"

\* Reserves: an insert, if there is no row. Else the row is read, and either refused at once, or taken over by a second statement.
Reserve(c) ==
  /\ me[c].wants = "reserve" /\ me[c].reply = "none" /\ looks[c] = 0
  /\ IF row.status = "none"
     THEN /\ Taken(me[c].token)
          /\ me' = [me EXCEPT ![c].reply = "yes"]
          /\ UNCHANGED <<looks, denied>>
     ELSE IF IsFree \/ (TakeActive /\ row.status = "reserved" /\ row.token # me[c].token)
     THEN /\ looks' = [looks EXCEPT ![c] = row.version]
          /\ UNCHANGED <<row, me, ends, changes, denied, robbed>>
     ELSE /\ me' = [me EXCEPT ![c].reply = IF row.status = "reserved" THEN Reply(me[c].token) ELSE "no"]
          /\ denied' = (denied \/ (IsActive /\ row.token = me[c].token /\ me'[c].reply = "no"))
          /\ UNCHANGED <<row, looks, ends, changes, robbed>>
  /\ UNCHANGED <<tokens, late, lost>>

\* The second statement. If another call was faster, the client begins again.
TakeOver(c) ==
  /\ me[c].wants = "reserve" /\ me[c].reply = "none" /\ looks[c] # 0
  /\ looks' = [looks EXCEPT ![c] = 0]
  /\ IF TakeUnread \/ (row.version = looks[c] /\ (IsFree \/ TakeActive))
     THEN Taken(me[c].token) /\ me' = [me EXCEPT ![c].reply = "yes"]
     ELSE UNCHANGED <<row, me, ends, changes, robbed>>
  /\ UNCHANGED <<tokens, late, lost, denied>>

\* A reserve that nobody waits for. It may be the second request for a claim that was released meanwhile.
ReserveLate(request) ==
  /\ request.what = "reserve" /\ IsFree
  /\ Taken(request.token)
  /\ UNCHANGED <<tokens, me, looks, late, lost, denied>>

Changed(status, left) == [row EXCEPT !.status = status, !.left = left, !.version = @ + 1]

MayConfirm(token) ==
  /\ ConfirmAny \/ row.token = token
  /\ IsActive \/ (ConfirmOverdue /\ IsOver)

MayExtend(token) == row.token = token /\ (IsActive \/ (ExtendOverdue /\ IsOver))

MayRelease(token) == IsActive /\ (ReleaseAny \/ row.token = token)

\* Gives up a confirmed value. The library compares the entity that has it; here it has the token of its claim.
MayReleaseConfirmed(token) == row.status = "confirmed" /\ row.token = token

\* A change of the claim of a token. It says whether the claim was there.
Executed(what, token) ==
  \/ /\ what = "confirm" /\ MayConfirm(token)
     /\ row' = Changed("confirmed", 0) /\ ends' = ends
     /\ robbed' = (robbed \/ row.token # token)
  \/ /\ what = "extend" /\ MayExtend(token)
     /\ row' = Changed("reserved", Max(row.left, Ttl)) /\ ends' = ends /\ robbed' = robbed
  \/ /\ \/ what = "release" /\ MayRelease(token)
        \/ what = "give up" /\ MayReleaseConfirmed(token)
     /\ row' = Changed("released", 0)
     /\ ends' = [ends EXCEPT ![row.claim] = @ + 1]
     /\ robbed' = (robbed \/ row.token # token)

Refuses(what, token) ==
  CASE what = "confirm" -> ~MayConfirm(token)
    [] what = "extend" -> ~MayExtend(token)
    [] what = "release" -> ~MayRelease(token)
    [] what = "give up" -> ~MayReleaseConfirmed(token)

\* After a lost reply the change may be made already: then the row is as this change leaves it, and counts as changed by it.
IsMade(what, token) ==
  /\ row.token = token \/ (DoubtByStatus /\ what = "confirm")
  /\ \/ what = "confirm" /\ row.status = "confirmed"
     \/ what \in {"release", "give up"} /\ row.status = "released"

Change(c) ==
  /\ me[c].wants \in {"confirm", "extend", "release", "give up"} /\ me[c].reply = "none"
  /\ \/ /\ May /\ Executed(me[c].wants, me[c].token)
        /\ changes' = changes + 1
        /\ me' = [me EXCEPT ![c].reply = "yes"]
     \/ /\ Refuses(me[c].wants, me[c].token)
        /\ me' = [me EXCEPT ![c].reply = IF me[c].doubt /\ IsMade(me[c].wants, me[c].token) THEN "yes" ELSE "no"]
        /\ UNCHANGED <<row, ends, changes, robbed>>
  /\ UNCHANGED <<tokens, looks, late, lost, denied>>

\* A change that nobody waits for.
ChangeLate(request) ==
  /\ request.what # "reserve"
  /\ May /\ Executed(request.what, request.token)
  /\ changes' = changes + 1
  /\ UNCHANGED <<tokens, me, looks, late, lost, denied>>

(* ---- Sweepers mark claims that are over. ---- *)

Look(s) ==
  /\ IsOver /\ looks[s] = 0
  /\ looks' = [looks EXCEPT ![s] = row.version]
  /\ UNCHANGED <<row, tokens, me, late, ends, changes, lost, denied, robbed>>

Mark(s) ==
  /\ looks[s] # 0
  /\ looks' = [looks EXCEPT ![s] = 0]
  /\ IF SweepUnread \/ row.version = looks[s]
     THEN /\ May
          /\ row' = Changed("expired", 0)
          /\ ends' = [ends EXCEPT ![row.claim] = @ + 1]
          /\ robbed' = (robbed \/ IsActive \/ row.status = "confirmed")
          /\ changes' = changes + 1
     ELSE UNCHANGED <<row, ends, robbed, changes>>
  /\ UNCHANGED <<tokens, me, late, lost, denied>>

(* ---- Clients. ---- *)

Ask(c) ==
  /\ me[c].reply = ""
  /\ \/ /\ me[c].state = "idle" /\ tokens < MostTokens
        /\ tokens' = tokens + 1
        /\ me' = [me EXCEPT ![c] = [Idle EXCEPT !.token = tokens', !.wants = "reserve", !.reply = "none"]]
     \/ /\ \/ me[c].state = "reserved" /\ \E what \in {"confirm", "extend", "release"} :
                me' = [me EXCEPT ![c].wants = what, ![c].reply = "none"]
           \* It no longer counts as the owner from when it asks for the end.
           \/ me[c].state = "confirmed" /\ me' = [me EXCEPT ![c].wants = "give up", ![c].reply = "none", ![c].state = "leaving"]
        /\ UNCHANGED tokens
  /\ UNCHANGED <<row, looks, late, ends, changes, lost, denied, robbed>>

\* No reply comes. The client sends the same request again; the first one may still reach the store.
LoseReply(c) ==
  /\ me[c].reply # "" /\ lost < MostLost
  /\ lost' = lost + 1
  /\ late' = IF me[c].reply = "none" THEN late \cup {Request(c)} ELSE late
  /\ looks' = [looks EXCEPT ![c] = 0]
  /\ me' = [me EXCEPT ![c].reply = "none", ![c].doubt = TRUE]
  /\ UNCHANGED <<row, tokens, ends, changes, denied, robbed>>

\* What a client knows after a reply. If a change was refused, its claim is over, or was never there.
After(c) ==
  IF me[c].reply = "no" THEN Idle
  ELSE CASE me[c].wants \in {"reserve", "extend"} -> [Idle EXCEPT !.state = "reserved", !.token = me[c].token]
         [] me[c].wants = "confirm" -> [Idle EXCEPT !.state = "confirmed", !.token = me[c].token]
         [] OTHER -> Idle

ReadReply(c) ==
  /\ me[c].reply \in {"yes", "no"}
  /\ me' = [me EXCEPT ![c] = After(c)]
  /\ UNCHANGED <<row, tokens, looks, late, ends, changes, lost, denied, robbed>>

Next ==
  \/ Tick
  \/ \E c \in Clients : Ask(c) \/ Reserve(c) \/ TakeOver(c) \/ Change(c) \/ LoseReply(c) \/ ReadReply(c)
  \/ \E request \in late : ReserveLate(request) \/ ChangeLate(request)
  \/ \E s \in Sweepers : Look(s) \/ Mark(s)

Spec == Init /\ [][Next]_vars

\* All clients are alike, and so are all sweepers.
Alike == Permutations(Clients) \cup Permutations(Sweepers)

(* ---- What must always hold. ---- *)

\* A client that was told that its claim is confirmed has the value, so two clients never have it, and no sweep takes it away.
ConfirmedIsOwner == \A c \in Clients : me[c].state = "confirmed" => row.status = "confirmed" /\ row.token = me[c].token

\* No active or confirmed claim is swept, taken over, confirmed or released for another owner.
NobodyIsRobbed == ~robbed

\* A claim that was over once is never active or confirmed again.
OverStaysOver == (IsActive \/ row.status = "confirmed") => ~row.over

\* The end of each claim is reported once: when it was released or marked, or when the next one has taken its place.
EndReportedOnce ==
  \A claim \in 1..row.claim :
    ends[claim] = IF claim < row.claim \/ row.status \in {"released", "expired"} THEN 1 ELSE 0

\* No client is told that the value is taken because of its own active claim.
OwnClaimIsKnown == ~denied
==============================================================================
