-------------------------------- MODULE Lease --------------------------------
(* One key, its row in the store, and clients that acquire, renew and release it.

   Requests and replies can be late or lost, and a request can reach the store twice. Clients trust a lease by a clock of their own, which
   may run slower than the store's. Writes that clients send to a resource under the lock can be late, too.

   There is no time of day in this model. Each clock is a countdown: how many ticks a lease still runs in the store, how many ticks a client
   still trusts it, how many ticks ago a request was sent. So the model has no end of time, only a limit of acquisitions. *)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Clients,
  LeaseTime,      \* how long a lease runs, in ticks of the store's clock
  Margin,         \* how much earlier than that trust ends, in ticks of the client's clock
  Slow,           \* the clients whose clocks run slower than the store's; a clock that runs faster only ends trust earlier
  SlipEvery,      \* a slow clock may miss one of so many ticks
  MostStale,      \* the clock that a statement reads may be so many ticks old: a statement that waited for the row may have read it before
  MostNames,      \* how many acquisitions there are: each has a name of its own
  MostGrants,     \* how often the store grants the key; more than names, if late requests are granted
  MostRenewals,   \* how many renewals of one client are under way at once
  MostLost,       \* how many replies to acquisitions and renewals get lost
  MostForces,     \* how often an operator ends the lease by force
  (* Planted bugs: FALSE in the library. *)
  TrustFromReply,      \* trust counts from the reply, not from before the request
  NoMargin,            \* trust lasts as long as the lease
  DoubtFromLast,       \* after a lost reply, trust counts from the last request, not from the first
  TimeBeforeRequest,   \* a statement may use a time from before the request, as the time when its transaction began
  ReleaseByClient,     \* a release names its client, not its acquisition
  ReleaseAny,          \* a release ends whatever lease the key has
  RenewAny,            \* a renewal extends whatever lease the key has
  RenewEnded,          \* a renewal does not look whether the lease has ended
  RenewShortens,       \* a renewal may let a lease end earlier
  FenceStartsAgain,    \* the first fence after a purge is 1, not the time
  Unfenced             \* the resource does not compare fences

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
Less(a, b) == IF a > b THEN a - b ELSE 0

VARIABLES
  row,        \* the row of the key
  grants,     \* how many grants there were
  names,      \* how many names were used
  me,         \* what each client knows
  renewals,   \* the renewals of each client whose replies it waits for
  late,       \* requests nobody waits for: each may reach the store at any time, any number of times
  slip,       \* in how many ticks the clock of a client may miss one
  writes,     \* for each client, the fence with which it may write to the resource
  seen,       \* the resource: the highest fence so far
  written,    \* the resource: the grant whose write was accepted last
  disorder,   \* whether it accepted a write of an older grant after one of a newer grant
  lost,       \* how many replies got lost
  forces      \* how often the lease was ended by force

vars == <<row, grants, names, me, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

Nobody == 0

\* name and client: the holder; left: how long its lease runs; grant: the number of the grant. ended: whether that lease has ended before.
NoRow == [name |-> 0, client |-> Nobody, fence |-> 0, left |-> 0, grant |-> 0, ended |-> FALSE]

\* first: ticks since the first request for this acquisition was sent; sent: since the last one. reply: "none" while the store has not
\* answered. doubt: whether a reply was lost. trust: for how long the lease is trusted. forced: whether an operator has ended it.
Idle == [state |-> "idle", name |-> 0, first |-> 0, sent |-> 0, reply |-> "", doubt |-> FALSE,
         trust |-> 0, fence |-> 0, grant |-> 0, forced |-> FALSE]

NoWrite == [fence |-> 0, grant |-> 0]

Init ==
  /\ row = NoRow /\ grants = 0 /\ names = 0
  /\ me = [c \in Clients |-> Idle]
  /\ renewals = [c \in Clients |-> {}]
  /\ late = {}
  /\ slip = [c \in Clients |-> 0]
  /\ writes = [c \in Clients |-> NoWrite]
  /\ seen = 0 /\ written = 0 /\ disorder = FALSE /\ lost = 0 /\ forces = 0

Trusted(sent) == Less(LeaseTime, (IF NoMargin THEN 0 ELSE Margin) + (IF TrustFromReply THEN 0 ELSE sent))

Request(what, c) == [what |-> what, name |-> me[c].name, client |-> c]

(* ---- Time. ---- *)

\* Ages stop at the lease time: what is older is not trusted anyway.
Older(age) == Min(age + 1, LeaseTime)

\* One tick of the store's clock. The clocks of some clients miss it, but of each client only one tick of SlipEvery.
Tick ==
  \E slow \in SUBSET {c \in Slow : slip[c] = 0} :
    LET aged(c) == [me[c] EXCEPT !.trust = Less(@, 1),
                                 !.first = IF me[c].state = "asking" THEN Older(@) ELSE 0,
                                 !.sent = IF me[c].state = "asking" THEN Older(@) ELSE 0] IN
    /\ row' = [row EXCEPT !.left = Less(@, 1), !.ended = @ \/ row.left = 1]
    /\ me' = [c \in Clients |-> IF c \in slow THEN me[c] ELSE aged(c)]
    /\ renewals' = [c \in Clients |->
         IF c \in slow THEN renewals[c] ELSE {[r EXCEPT !.sent = Older(@)] : r \in renewals[c]}]
    /\ slip' = [c \in Clients |-> IF c \in slow THEN SlipEvery - 1 ELSE Less(slip[c], 1)]
    /\ UNCHANGED <<grants, names, late, writes, seen, written, disorder, lost, forces>>

(* ---- The store: each of these is one statement on the row. ---- *)

\* A free row is granted to the name. A row that was purged has fence 0: a new one begins with the time, which is higher than any fence.
Granted(name, c, stale) ==
  [name |-> name, client |-> c, left |-> LeaseTime - stale, grant |-> grants + 1, ended |-> FALSE,
   fence |-> IF row.fence # 0 THEN row.fence + 1 ELSE IF FenceStartsAgain THEN 1 ELSE grants + 1]

\* How old the time of a statement may be: not older than its request.
Stale(age) == 0..(IF TimeBeforeRequest THEN MostStale ELSE Min(MostStale, age))

\* The acquisition that client c waits for reaches the store.
Acquire(c) ==
  /\ me[c].state = "asking" /\ me[c].reply = "none"
  /\ IF row.left = 0
     THEN /\ grants < MostGrants
          /\ \E stale \in Stale(me[c].sent) : row' = Granted(me[c].name, c, stale)
          /\ grants' = grants + 1
          /\ me' = [me EXCEPT ![c].reply = "yes", ![c].fence = row'.fence, ![c].grant = grants']
     ELSE /\ me' = [me EXCEPT ![c].reply = "no"]
          /\ UNCHANGED <<row, grants>>
  /\ UNCHANGED <<names, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

\* An acquisition reaches the store whose reply nobody waits for.
AcquireLate(request) ==
  /\ request.what = "acquire" /\ row.left = 0 /\ grants < MostGrants
  /\ LET owner == me[request.client]
         age == IF owner.name = request.name THEN owner.first ELSE MostStale IN
       \E stale \in Stale(age) : row' = Granted(request.name, request.client, stale)
  /\ grants' = grants + 1
  /\ UNCHANGED <<names, me, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

CanRenew(name) ==
  /\ row.name # 0
  /\ RenewAny \/ row.name = name
  /\ RenewEnded \/ row.left > 0

Renewed(stale) ==
  [row EXCEPT !.left = IF RenewShortens THEN LeaseTime - stale ELSE Max(@, LeaseTime - stale)]

\* A renewal that client c waits for reaches the store.
Renew(c, renewal) ==
  /\ renewal.reply = "none"
  /\ IF CanRenew(me[c].name)
     THEN /\ \E stale \in Stale(renewal.sent) : row' = Renewed(stale)
          /\ renewals' = [renewals EXCEPT ![c] = (@ \ {renewal}) \cup {[renewal EXCEPT !.reply = "yes"]}]
     ELSE /\ renewals' = [renewals EXCEPT ![c] = (@ \ {renewal}) \cup {[renewal EXCEPT !.reply = "no"]}]
          /\ UNCHANGED row
  /\ UNCHANGED <<grants, names, me, late, slip, writes, seen, written, disorder, lost, forces>>

\* A renewal reaches the store late: perhaps after the end of its lease, or after a newer renewal.
RenewLate(request) ==
  /\ request.what = "renew" /\ CanRenew(request.name)
  /\ \E stale \in 0..MostStale : row' = Renewed(stale)
  /\ UNCHANGED <<grants, names, me, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

Release(request) ==
  /\ request.what = "release" /\ row.left > 0
  /\ ReleaseAny \/ row.name = request.name \/ (ReleaseByClient /\ row.client = request.client)
  /\ row' = [row EXCEPT !.left = 0, !.ended = TRUE]
  /\ UNCHANGED <<grants, names, me, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

\* An operator ends the lease. Its holder does not know.
Force ==
  /\ forces < MostForces /\ row.left > 0
  /\ forces' = forces + 1
  /\ row' = [row EXCEPT !.left = 0, !.ended = TRUE]
  /\ me' = [c \in Clients |-> IF me[c].name = row.name THEN [me[c] EXCEPT !.forced = TRUE] ELSE me[c]]
  /\ UNCHANGED <<grants, names, renewals, late, slip, writes, seen, written, disorder, lost>>

\* A row that was unused for long is deleted: longer than any request is under way. But writes may be.
Purge ==
  /\ row.left = 0 /\ row.fence # 0
  /\ \A c \in Clients : me[c].state = "idle"
  /\ row' = NoRow /\ late' = {}
  /\ UNCHANGED <<grants, names, me, renewals, slip, writes, seen, written, disorder, lost, forces>>

(* ---- Clients. ---- *)

Ask(c) ==
  /\ me[c].state = "idle" /\ names < MostNames
  /\ names' = names + 1
  /\ me' = [me EXCEPT ![c] = [Idle EXCEPT !.state = "asking", !.name = names', !.reply = "none"]]
  /\ UNCHANGED <<row, grants, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

\* No reply comes. If the store has not seen the request, it may see it later.
LoseReply(c) ==
  /\ me[c].state = "asking" /\ me[c].reply # "lost"
  /\ lost < MostLost /\ lost' = lost + 1
  /\ late' = IF me[c].reply = "none" THEN late \cup {Request("acquire", c)} ELSE late
  /\ me' = [me EXCEPT ![c].reply = "lost", ![c].doubt = TRUE, ![c].fence = 0, ![c].grant = 0]
  /\ UNCHANGED <<row, grants, names, renewals, slip, writes, seen, written, disorder, forces>>

\* The same request is sent again, with the same name.
AskAgain(c) ==
  /\ me[c].state = "asking" /\ me[c].reply = "lost"
  /\ me' = [me EXCEPT ![c].reply = "none", ![c].sent = 0]
  /\ UNCHANGED <<row, grants, names, renewals, late, slip, writes, seen, written, disorder, lost, forces>>

\* What client c knows when it was granted the key, or has found that it was.
Holding(c, sent) ==
  [Idle EXCEPT !.state = "held", !.name = me[c].name, !.trust = Trusted(sent), !.forced = me[c].forced]

\* A grant that comes too late to be trusted is released.
Take(c, sent, fence, grant) ==
  IF Trusted(sent) > 0
  THEN /\ me' = [me EXCEPT ![c] = Holding(c, sent)]
       /\ writes' = [writes EXCEPT ![c] = [fence |-> fence, grant |-> grant]]
       /\ late' = late
  ELSE /\ me' = [me EXCEPT ![c] = Idle]
       /\ late' = late \cup {Request("release", c)}
       /\ UNCHANGED writes

ReadReply(c) ==
  /\ me[c].state = "asking"
  /\ \/ me[c].reply = "yes" /\ Take(c, me[c].sent, me[c].fence, me[c].grant)
     \/ me[c].reply = "no" /\ ~me[c].doubt /\ me' = [me EXCEPT ![c] = Idle] /\ UNCHANGED <<late, writes>>
  /\ UNCHANGED <<row, grants, names, renewals, slip, seen, written, disorder, lost, forces>>

\* A client in doubt looks who holds the key. If it is this client, the lease counts from before the first request. If not, it gives up, and
\* has released what may exist: its request may still be on its way.
FindHolder(c) ==
  /\ me[c].state = "asking" /\ me[c].doubt /\ me[c].reply \in {"lost", "no"}
  /\ IF row.left > 0 /\ row.name = me[c].name
     THEN Take(c, IF DoubtFromLast THEN me[c].sent ELSE me[c].first, row.fence, row.grant)
     ELSE /\ me' = [me EXCEPT ![c] = Idle]
          /\ late' = late \cup {Request("release", c)}
          /\ UNCHANGED writes
  /\ UNCHANGED <<row, grants, names, renewals, slip, seen, written, disorder, lost, forces>>

SendRenewal(c) ==
  /\ me[c].state = "held" /\ me[c].trust > 0
  /\ Cardinality(renewals[c]) < MostRenewals
  /\ renewals' = [renewals EXCEPT ![c] = @ \cup {[sent |-> 0, reply |-> "none"]}]
  /\ UNCHANGED <<row, grants, names, me, late, slip, writes, seen, written, disorder, lost, forces>>

\* Renewals whose replies nobody waits for any more may still reach the store.
Forgotten(c, some) == IF \E r \in some : r.reply = "none" THEN {Request("renew", c)} ELSE {}

\* Trust gets longer, never shorter. "No" means that the lease is lost.
ReadRenewal(c, renewal) ==
  /\ renewal.reply # "none"
  /\ IF renewal.reply = "yes"
     THEN /\ me' = [me EXCEPT ![c].trust = Max(@, Trusted(renewal.sent))]
          /\ renewals' = [renewals EXCEPT ![c] = @ \ {renewal}]
          /\ late' = late
     ELSE /\ me' = [me EXCEPT ![c] = Idle]
          /\ renewals' = [renewals EXCEPT ![c] = {}]
          /\ late' = late \cup Forgotten(c, renewals[c])
  /\ UNCHANGED <<row, grants, names, slip, writes, seen, written, disorder, lost, forces>>

LoseRenewal(c, renewal) ==
  /\ lost < MostLost /\ lost' = lost + 1
  /\ renewals' = [renewals EXCEPT ![c] = @ \ {renewal}]
  /\ late' = late \cup Forgotten(c, {renewal})
  /\ UNCHANGED <<row, grants, names, me, slip, writes, seen, written, disorder, forces>>

\* The client sends a release, trusted or not, and does not wait for its reply. Renewals may be under way.
Unlock(c) ==
  /\ me[c].state = "held"
  /\ late' = late \cup {Request("release", c)} \cup Forgotten(c, renewals[c])
  /\ me' = [me EXCEPT ![c] = Idle]
  /\ renewals' = [renewals EXCEPT ![c] = {}]
  /\ UNCHANGED <<row, grants, names, slip, writes, seen, written, disorder, lost, forces>>

(* ---- The resource. ---- *)

\* A client that was granted the key writes, at once or much later: networks are slow, and processes are suspended.
Write(c) ==
  /\ writes[c] # NoWrite
  /\ Unfenced \/ writes[c].fence >= seen
  /\ seen' = Max(seen, writes[c].fence)
  /\ written' = writes[c].grant
  /\ disorder' = (disorder \/ writes[c].grant < written)
  /\ UNCHANGED <<row, grants, names, me, renewals, late, slip, writes, lost, forces>>

Next ==
  \/ Tick \/ Force \/ Purge
  \/ \E c \in Clients :
       \/ Ask(c) \/ Acquire(c) \/ LoseReply(c) \/ AskAgain(c) \/ ReadReply(c) \/ FindHolder(c)
       \/ SendRenewal(c) \/ Unlock(c) \/ Write(c)
       \/ \E r \in renewals[c] : Renew(c, r) \/ ReadRenewal(c, r) \/ LoseRenewal(c, r)
  \/ \E request \in late : AcquireLate(request) \/ RenewLate(request) \/ Release(request)

Spec == Init /\ [][Next]_vars

(* ---- What must always hold. ---- *)

Trusts(c) == me[c].state = "held" /\ me[c].trust > 0 /\ ~me[c].forced

\* Two clients never trust a lease at the same time, unless an operator has ended one of them by force.
Exclusive == \A a, b \in Clients : a # b => ~(Trusts(a) /\ Trusts(b))

\* A lease that a client trusts exists.
TrustedLeaseExists == \A c \in Clients : Trusts(c) => row.left > 0 /\ row.name = me[c].name

\* A lease that has ended, by itself, by a release or by force, never runs again.
EndedStaysEnded == row.left > 0 => ~row.ended

\* The resource never accepts a write of an older grant after one of a newer grant, however late writes are.
WritesInOrder == ~disorder
==============================================================================
