------------------------------- MODULE Outbox --------------------------------
(* The deliveries of one listener: in a shared lane, or in lanes of their keys. Workers lease a lane, read it, call the listener with one event
   after another, record what became of them, and give the lane back.

   A worker can be suspended at any time, and go on when its lease has long ended. It can also die: then it is suspended for ever. While the
   listener runs, the courier of its instance extends the lease, unless the instance is suspended.

   Time is a countdown. A call to the store is one step. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Workers,
  MostEvents,     \* the first, third, ... event has one key, the second, fourth, ... another
  LeaseTime,      \* for how long a lane is leased
  Pause,          \* for how long a key waits after a failure
  MostFailures,   \* how often the listener fails
  MostSuspended,  \* how often a worker is suspended
  (* Planted bugs: FALSE in the library. *)
  RemoveWhenRead,      \* events are removed when they are read
  TakeLeased,          \* a lane is leased although another worker has it
  NoCourier,           \* nobody extends the lease while the listener runs
  OpenUnleased,        \* a worker gives a key its own lane although it has lost the shared lane
  RecordUnowned,       \* what is recorded of a key does not compare the owner
  ReleaseUnowned,      \* to give a shared lane back does not compare the owner
  ReadOthers,          \* a worker at the shared lane delivers keys that have their own lane
  GoOnAfterFailure,    \* after a failure, the later events of the key are delivered
  MoveToClosed,        \* events are moved to the lane of a key although it is closed
  CloseUnlooked        \* the lane of a key is closed although something lies in it

VARIABLES
  appended,   \* how many events were appended
  lane,       \* where the delivery of each event is: "shared", "own", or "gone"; "none" before its append
  shared,     \* the lease of the shared lane
  keys,       \* the lanes of the keys: whether they are open, and their leases
  visits,     \* what each worker does
  delivered,  \* the events that the listener has received
  failures, suspended,
  disorder,   \* whether an event was delivered before an earlier event of its key was received
  overwritten \* whether a worker has changed a lease that another one had

vars == <<appended, lane, shared, keys, visits, delivered, failures, suspended, disorder, overwritten>>

Events == 1..MostEvents
Keys == {0, 1}
KeyOf(e) == e % 2
Nobody == "nobody"
Less1(a) == IF a > 0 THEN a - 1 ELSE 0
First(events) == CHOOSE e \in events : \A other \in events : e <= other
OfKey(events, k) == {e \in events : KeyOf(e) = k}

\* A worker begins no delivery when half of its lease is over.
Half == LeaseTime \div 2

\* at: the lane. page: what was read and not delivered; moving: what was read, and belongs to lanes of keys. now: the event that the listener
\* has; 0 is none. got: what it has received, and what is not recorded. age: ticks since the lease was taken or extended. ended: whether the
\* worker knows that it has lost the lease. slept: whether it was suspended since it took the lane.
Idle == [at |-> "none", key |-> 0, read |-> FALSE, page |-> {}, moving |-> {}, now |-> 0, got |-> {},
         age |-> 0, ended |-> FALSE, slept |-> FALSE, asleep |-> FALSE]

Closed == [open |-> FALSE, owner |-> Nobody, left |-> 0]

Init ==
  /\ appended = 0 /\ lane = [e \in Events |-> "none"]
  /\ shared = [owner |-> Nobody, left |-> 0]
  /\ keys = [k \in Keys |-> Closed]
  /\ visits = [w \in Workers |-> Idle]
  /\ delivered = {} /\ failures = 0 /\ suspended = 0 /\ disorder = FALSE /\ overwritten = FALSE

Awake(w) == visits[w].at # "none" /\ ~visits[w].asleep
Free(w) == Awake(w) /\ visits[w].now = 0

\* An instance that is not suspended extends its leases in time.
Tick ==
  /\ \A w \in Workers : Awake(w) /\ visits[w].now # 0 /\ ~visits[w].ended /\ ~NoCourier => visits[w].age < Half
  /\ shared' = [shared EXCEPT !.left = Less1(@)]
  /\ keys' = [k \in Keys |-> [keys[k] EXCEPT !.left = Less1(@)]]
  /\ visits' = [w \in Workers |->
       IF visits[w].at = "none" THEN Idle ELSE [visits[w] EXCEPT !.age = IF @ < Half THEN @ + 1 ELSE @]]
  /\ UNCHANGED <<appended, lane, delivered, failures, suspended, disorder, overwritten>>

Append ==
  /\ appended < MostEvents
  /\ appended' = appended + 1
  /\ lane' = [lane EXCEPT ![appended'] = "shared"]
  /\ UNCHANGED <<shared, keys, visits, delivered, failures, suspended, disorder, overwritten>>

(* ---- A worker takes a lane, and reads it. ---- *)

TakeShared(w) ==
  /\ visits[w].at = "none" /\ \E e \in Events : lane[e] = "shared"
  /\ shared.owner = Nobody \/ shared.left = 0 \/ TakeLeased
  /\ shared' = [owner |-> w, left |-> LeaseTime]
  /\ visits' = [visits EXCEPT ![w] = [Idle EXCEPT !.at = "shared"]]
  /\ UNCHANGED <<appended, lane, keys, delivered, failures, suspended, disorder, overwritten>>

TakeKey(w, k) ==
  /\ visits[w].at = "none" /\ keys[k].open
  /\ keys[k].left = 0
  /\ keys' = [keys EXCEPT ![k].owner = w, ![k].left = LeaseTime]
  /\ visits' = [visits EXCEPT ![w] = [Idle EXCEPT !.at = "own", !.key = k]]
  /\ UNCHANGED <<appended, lane, shared, delivered, failures, suspended, disorder, overwritten>>

\* In the shared lane, the events of keys that have their own lane are set aside.
Read(w) ==
  /\ Free(w) /\ ~visits[w].read
  /\ LET own == {e \in Events : lane[e] = "own" /\ KeyOf(e) = visits[w].key}
         there == {e \in Events : lane[e] = "shared"}
         elsewhere == {e \in there : keys[KeyOf(e)].open /\ ~ReadOthers}
         page == IF visits[w].at = "own" THEN own ELSE there \ elsewhere IN
     /\ visits' = [visits EXCEPT ![w].read = TRUE, ![w].page = page,
                                 ![w].moving = IF visits[w].at = "own" THEN {} ELSE elsewhere]
     /\ lane' = IF RemoveWhenRead THEN [e \in Events |-> IF e \in page THEN "gone" ELSE lane[e]] ELSE lane
  /\ UNCHANGED <<appended, shared, keys, delivered, failures, suspended, disorder, overwritten>>

\* Then they are moved to the lanes of their keys. A lane that was closed meanwhile gets none.
Move(w) ==
  /\ Free(w) /\ visits[w].moving # {}
  /\ lane' = [e \in Events |->
       IF e \in visits[w].moving /\ lane[e] = "shared" /\ (keys[KeyOf(e)].open \/ MoveToClosed) THEN "own" ELSE lane[e]]
  /\ visits' = [visits EXCEPT ![w].moving = {}]
  /\ UNCHANGED <<appended, shared, keys, delivered, failures, suspended, disorder, overwritten>>

(* ---- The listener. ---- *)

Call(w) ==
  /\ Free(w) /\ visits[w].page # {} /\ visits[w].moving = {}
  /\ visits[w].age < Half /\ ~visits[w].ended
  /\ LET e == First(visits[w].page) IN
     /\ visits' = [visits EXCEPT ![w].now = e]
     /\ disorder' = (disorder \/ \E earlier \in 1..(e - 1) : KeyOf(earlier) = KeyOf(e) /\ earlier \notin delivered)
  /\ UNCHANGED <<appended, lane, shared, keys, delivered, failures, suspended, overwritten>>

Return(w) ==
  /\ Awake(w) /\ visits[w].now # 0
  /\ delivered' = delivered \cup {visits[w].now}
  /\ visits' = [visits EXCEPT ![w].got = @ \cup {visits[w].now}, ![w].page = @ \ {visits[w].now}, ![w].now = 0]
  /\ UNCHANGED <<appended, lane, shared, keys, failures, suspended, disorder, overwritten>>

(* ---- Records. ---- *)

\* The deliveries after what was received is removed.
Removed(w) == [e \in Events |-> IF e \in visits[w].got THEN "gone" ELSE lane[e]]

Complete(w) ==
  /\ Free(w) /\ visits[w].got # {}
  /\ lane' = Removed(w)
  /\ visits' = [visits EXCEPT ![w].got = {}]
  /\ UNCHANGED <<appended, shared, keys, delivered, failures, suspended, disorder, overwritten>>

MayOpen(w) == shared.owner = w \/ OpenUnleased
MayRecord(w, k) == keys[k].open /\ (keys[k].owner = w \/ RecordUnowned)

\* Whether a record of worker w on key k hits another worker.
Hits(w, k) == keys[k].open /\ keys[k].owner \notin {Nobody, w} /\ keys[k].left > 0

\* Opens a lane for a key of the shared lane, or records in the lane that the key has; returns the lease. The events of the page move there.
Opened(w, k, lease) ==
  /\ keys' = IF MayOpen(w) /\ (~keys[k].open \/ MayRecord(w, k)) THEN [keys EXCEPT ![k] = lease] ELSE keys
  /\ lane' = [e \in Events |->
       IF Removed(w)[e] = "shared" /\ e \in OfKey(visits[w].page, k) /\ MayOpen(w) /\ ~keys[k].open THEN "own" ELSE Removed(w)[e]]
  /\ overwritten' = (overwritten \/ (MayOpen(w) /\ MayRecord(w, k) /\ Hits(w, k)))

Recorded(w, k, lease) ==
  /\ keys' = IF MayRecord(w, k) THEN [keys EXCEPT ![k] = lease] ELSE keys
  /\ lane' = Removed(w)
  /\ overwritten' = (overwritten \/ (MayRecord(w, k) /\ Hits(w, k)))

OpenOrRecord(w, k, lease) == IF visits[w].at = "shared" THEN Opened(w, k, lease) ELSE Recorded(w, k, lease)

\* The listener throws. The later events of the key wait with the one that failed.
Fail(w) ==
  /\ Awake(w) /\ visits[w].now # 0 /\ failures < MostFailures
  /\ failures' = failures + 1
  /\ LET k == KeyOf(visits[w].now) IN
     /\ OpenOrRecord(w, k, [open |-> TRUE, owner |-> Nobody, left |-> Pause])
     /\ visits' = [visits EXCEPT ![w].now = 0, ![w].got = {},
                                 ![w].page = @ \ (IF GoOnAfterFailure THEN {visits[w].now} ELSE OfKey(@, k)),
                                 ![w].ended = @ \/ (visits[w].at = "own" /\ ~GoOnAfterFailure) \/ (visits[w].at = "shared" /\ shared.owner # w)]
  /\ UNCHANGED <<appended, shared, delivered, suspended, disorder>>

\* The courier, while the listener runs: it gives a key its own lane, or extends the lease of that lane.
Beat(w) ==
  /\ Awake(w) /\ visits[w].now # 0 /\ visits[w].age > 0 /\ ~visits[w].ended /\ ~NoCourier
  /\ LET k == KeyOf(visits[w].now) IN
     /\ OpenOrRecord(w, k, [open |-> TRUE, owner |-> w, left |-> LeaseTime])
     /\ LET ours == keys'[k].open /\ keys'[k].owner = w IN
        visits' = [visits EXCEPT ![w].at = "own", ![w].key = k, ![w].page = OfKey(@, k), ![w].got = {},
                                 ![w].age = IF ours THEN 0 ELSE @, ![w].ended = ~ours]
  /\ shared' = IF visits[w].at = "shared" /\ (shared.owner = w \/ ReleaseUnowned) THEN [owner |-> Nobody, left |-> 0] ELSE shared
  /\ UNCHANGED <<appended, delivered, failures, suspended, disorder>>

\* Gives the lane back when the page is delivered, or time is over. The lane of a key is closed if nothing lies in it.
GiveBack(w) ==
  /\ Free(w) /\ visits[w].got = {}
  /\ (visits[w].read /\ visits[w].page = {} /\ visits[w].moving = {}) \/ visits[w].age = Half \/ visits[w].ended
  /\ visits' = [visits EXCEPT ![w] = Idle]
  /\ IF visits[w].at = "shared"
     THEN /\ shared' = IF shared.owner = w \/ ReleaseUnowned THEN [owner |-> Nobody, left |-> 0] ELSE shared
          /\ overwritten' = (overwritten \/ (ReleaseUnowned /\ shared.owner \notin {Nobody, w} /\ shared.left > 0))
          /\ UNCHANGED keys
     ELSE LET k == visits[w].key
              empty == CloseUnlooked \/ ~\E e \in Events : lane[e] = "own" /\ KeyOf(e) = k IN
          /\ keys' = IF ~visits[w].ended /\ MayRecord(w, k)
                     THEN [keys EXCEPT ![k] = IF empty THEN Closed ELSE [open |-> TRUE, owner |-> Nobody, left |-> 0]]
                     ELSE keys
          /\ overwritten' = (overwritten \/ (~visits[w].ended /\ MayRecord(w, k) /\ Hits(w, k)))
          /\ UNCHANGED shared
  /\ UNCHANGED <<appended, lane, delivered, failures, suspended, disorder>>

Suspend(w) ==
  /\ Awake(w) /\ suspended < MostSuspended
  /\ suspended' = suspended + 1
  /\ visits' = [visits EXCEPT ![w].asleep = TRUE, ![w].slept = TRUE]
  /\ UNCHANGED <<appended, lane, shared, keys, delivered, failures, disorder, overwritten>>

WakeUp(w) ==
  /\ visits[w].asleep
  /\ visits' = [visits EXCEPT ![w].asleep = FALSE]
  /\ UNCHANGED <<appended, lane, shared, keys, delivered, failures, suspended, disorder, overwritten>>

Next ==
  \/ Tick \/ Append
  \/ \E w \in Workers :
       \/ TakeShared(w) \/ Read(w) \/ Move(w) \/ Call(w) \/ Return(w) \/ Complete(w) \/ Fail(w) \/ Beat(w) \/ GiveBack(w)
       \/ Suspend(w) \/ WakeUp(w)
       \/ \E k \in Keys : TakeKey(w, k)

Spec == Init /\ [][Next]_vars

\* All workers are alike.
Alike == Permutations(Workers)

(* ---- What must always hold. ---- *)

\* No event is removed that the listener has not received.
AtLeastOnce == \A e \in Events : lane[e] = "gone" => e \in delivered

\* The first deliveries of the events of a key are in the order of their appends.
InOrder == ~disorder

\* Two workers never deliver the same key at the same time, unless one of them was suspended since it took its lane.
OneAtATime ==
  \A a, b \in Workers :
    a # b /\ visits[a].now # 0 /\ visits[b].now # 0 /\ KeyOf(visits[a].now) = KeyOf(visits[b].now)
      => visits[a].slept \/ visits[b].slept

\* A worker that has lost its lease changes nothing that another worker has leased.
StaleChangesNothing == ~overwritten

\* No delivery lies in a lane that is closed: nobody would look there.
NoneLeftBehind == \A e \in Events : lane[e] = "own" => keys[KeyOf(e)].open
==============================================================================
