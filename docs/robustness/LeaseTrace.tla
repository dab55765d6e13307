------------------------------ MODULE LeaseTrace -----------------------------
(* Whether a history that was recorded is one that the rules of Lease.tla allow: calls of one key, with the times at which each was sent and
   answered.

   What the store did is not in the history. It acted on each call at some time between the request and the reply; on a call that failed at
   any time later, or never. TLC looks for an order in which all recorded answers are right. If it finds one, it has "violated" the
   invariant NotAccepted, and the history is a behaviour of the rules. If it finds none, the history breaks one.

   Times are microseconds since the first event. Since the store acted somewhere between two events, the end of a lease is known as a range:
   not before "low", and not after "high". *)
EXTENDS Integers, Sequences, TLC,
  History \* what is checked: Calls, Events and Slack; LeaseTrace.java writes another one in place of the example that is here

VARIABLES
  next,      \* the index of the next event
  open,      \* the calls that the store may still act on
  acted,     \* the calls that it has acted on, and whose replies are to come
  lease,     \* the lease of the key; fence 0 is none
  top        \* the highest fence so far; fences are numbered from 1, in their order

vars == <<next, open, acted, lease, top>>

Forever == 1000000000
Max(a, b) == IF a > b THEN a ELSE b

NoLease == [fence |-> 0, low |-> 0, high |-> 0, until |-> 0]

\* The store acts between the last event and the next one.
After == IF next = 1 THEN 0 ELSE Events[next - 1].time
Before == IF next > Len(Events) THEN Forever ELSE Events[next].time

ASSUME TLCSet(1, 0)

Init == next = 1 /\ open = {} /\ acted = {} /\ lease = NoLease /\ top = 0

(* ---- What the store does; nothing of it is in the history. ---- *)

\* A holder counts its trust from before the request: trust and margin tell when that was, and the store acted later.
SentAt(call) == call.until + call.margin - call.lease

\* The key is free: released, or the last lease may be over by now. Fences grow, so the next grant has the next fence of the history.
Grant(c) ==
  /\ Calls[c].what = "acquire" /\ Calls[c].fence = top + 1
  /\ lease.fence = 0 \/ lease.low - Slack <= Before
  /\ SentAt(Calls[c]) - Slack <= Before
  /\ LET from == Max(Max(After, SentAt(Calls[c])), IF lease.fence = 0 THEN 0 ELSE lease.low - Slack) IN
     lease' = [fence |-> Calls[c].fence, low |-> from + Calls[c].lease, until |-> Calls[c].until,
               high |-> IF Calls[c].renewed THEN Forever ELSE Before + Calls[c].lease]
  /\ top' = top + 1

Exists(c) == lease.fence = Calls[c].fence /\ lease.high + Slack >= After

\* The lease must exist. Trust gets longer only by the time that counts from before the request.
Renew(c) ==
  /\ Calls[c].what = "renew" /\ Calls[c].result = "renewed" /\ Exists(c)
  /\ Calls[c].until = lease.until \/ SentAt(Calls[c]) - Slack <= Before
  /\ lease' = [lease EXCEPT !.low = Max(@, Max(After, SentAt(Calls[c])) + Calls[c].lease),
                            !.high = Max(@, Before + Calls[c].lease),
                            !.until = Max(@, Calls[c].until)]
  /\ UNCHANGED top

\* A renewal whose outcome is unknown may have been made. Whether it was or not: the lease may end later.
RenewPerhaps(c) ==
  /\ Calls[c].what = "renew" /\ Calls[c].result = "failed" /\ Exists(c)
  /\ lease' = [lease EXCEPT !.high = Max(@, Before + Calls[c].lease)]
  /\ UNCHANGED top

Release(c) ==
  /\ Calls[c].what = "release" /\ Calls[c].result \in {"released", "failed"} /\ Exists(c)
  /\ lease' = NoLease /\ UNCHANGED top

Force(c) ==
  /\ Calls[c].what = "force"
  /\ lease' = NoLease /\ UNCHANGED top

\* What failed for an earlier lease changes nothing any more.
TooLate(c) == Calls[c].what \in {"renew", "release"} /\ Calls[c].result = "failed" /\ Calls[c].fence < top'

Act(c) ==
  /\ Grant(c) \/ Renew(c) \/ RenewPerhaps(c) \/ Release(c) \/ Force(c)
  /\ open' = {o \in open \ {c} : ~TooLate(o)}
  /\ acted' = IF Calls[c].result = "failed" THEN acted ELSE acted \cup {c}
  /\ UNCHANGED next

(* ---- What is in the history. ---- *)

Sent ==
  /\ Events[next].kind = "sent"
  /\ open' = open \cup {Events[next].call}
  /\ UNCHANGED <<acted, lease, top>>

\* A holder may be told that its lease is lost if it has ended, or if it may not be trusted any more.
IsLost(call, time) ==
  \/ lease.fence # call.fence
  \/ lease.low - Slack <= time
  \/ lease.until <= time

\* A call that failed stays open: the store may act on it later. One that was answered must have been acted on.
Answered ==
  LET c == Events[next].call IN
  /\ Events[next].kind = "answered"
  /\ CASE Calls[c].result = "failed" -> UNCHANGED <<open, acted>>
       [] Calls[c].result = "lost" -> IsLost(Calls[c], Events[next].time) /\ open' = open \ {c} /\ acted' = acted
       [] OTHER -> c \in acted /\ acted' = acted \ {c} /\ open' = open
  /\ UNCHANGED <<lease, top>>

Told ==
  /\ Events[next].kind = "told"
  /\ IsLost(Calls[Events[next].call], Events[next].time)
  /\ UNCHANGED <<open, acted, lease, top>>

Consume ==
  /\ next <= Len(Events)
  /\ Sent \/ Answered \/ Told
  /\ next' = next + 1

Next == Consume \/ \E c \in open : Act(c)

Spec == Init /\ [][Next]_vars

\* TLC must find that this does not hold.
NotAccepted == next <= Len(Events)

\* Tells how far TLC got: after the last event that is told, no event fits.
Progress == IF next > TLCGet(1) THEN TLCSet(1, next) /\ PrintT(<<"consumed", next - 1>>) ELSE TRUE
==============================================================================
