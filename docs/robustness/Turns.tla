-------------------------------- MODULE Turns --------------------------------
(* Nodes that wait for one key, in the queue of its row, and the threads of each node.

   A node that is refused joins the queue. After a release the key is reserved for the first node in the queue, for the grace; a node that does
   not come in that time loses its place. A thread that unlocks may pass the key on to another thread of its node, for a limited time if
   other nodes wait. Nodes die, or give up without a word: their places stay in the queue.

   Calls are answered at once here, and all clocks agree: Lease.tla is about what is late or lost. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Nodes,
  MostThreads,   \* how many threads of a node wait at most, beside the one that holds the key
  LeaseTime,     \* how long a lease runs
  Grace,         \* for how long a released key is reserved for the first node
  Poll,          \* a node that waits asks at least so often; shorter than the grace
  Stay,          \* for how long threads of a node may pass the key on while other nodes wait: 10 ms in the library
  MostGone,      \* how many nodes die, or give up without a word
  (* Planted bugs: FALSE in the library. *)
  IgnoreReservation,   \* a free key is granted to whoever asks
  ReservedForever,     \* a reservation has no end
  GraceTooShort,       \* the grace is over before the first node polls
  KeepPlace,           \* a node that lets its turn pass keeps its place
  NoGraceForNext,      \* if the first node leaves the queue, the next one gets no grace of its own
  JoinAtFront,         \* a node that releases the key puts itself first
  PassForever,         \* each pass starts the time anew for which a node may keep the key
  PassUnchecked        \* a pass does not look whether the old lease still runs

VARIABLES
  row,       \* the row of the key
  waiting,   \* how many threads of each node wait
  poll,      \* in how many ticks each node that waits asks at the latest
  holds,     \* for how long a thread of each node trusts that it has the key
  stale,     \* whether a thread of the node has lost its lease, and has not unlocked yet
  since,     \* how many ticks ago the node got the key; passing it on does not count as getting it
  alive,
  left,      \* the nodes whose places in the queue nobody wants any more
  gone,      \* how many nodes died or gave up without a word
  idle,      \* for how long the key was free although a live node waits
  kept,      \* for how long one node has kept the key while another live node was in the queue
  overtaken, \* how often a released key was granted since a node is in the queue
  jumped,    \* whether the key was granted to one node while it was reserved for another
  skipped    \* whether a live node that polls in time has lost its place

vars == <<row, waiting, poll, holds, stale, since, alive, left, gone, idle, kept, overtaken, jumped, skipped>>

Min(a, b) == IF a < b THEN a ELSE b
Less1(a) == IF a > 0 THEN a - 1 ELSE 0
In(n, queue) == \E i \in DOMAIN queue : queue[i] = n
Without(queue, n) == SelectSeq(queue, LAMBDA m : m # n)
Nobody == "nobody"

\* left: how long the lease of the node runs. released: whether it was released, and did not end by itself. stayed: whether the node has put
\* itself first when it released the key. reserved: for how long the key is reserved for the first node of the queue.
Init ==
  /\ row = [node |-> Nobody, left |-> 0, released |-> FALSE, stayed |-> FALSE, queue |-> <<>>, reserved |-> 0]
  /\ waiting = [n \in Nodes |-> 0] /\ poll = [n \in Nodes |-> 0]
  /\ holds = [n \in Nodes |-> 0] /\ stale = [n \in Nodes |-> FALSE] /\ since = [n \in Nodes |-> 0]
  /\ alive = [n \in Nodes |-> TRUE] /\ left = {} /\ gone = 0
  /\ idle = 0 /\ kept = 0 /\ overtaken = [n \in Nodes |-> 0] /\ jumped = FALSE /\ skipped = FALSE

GraceTime == IF GraceTooShort THEN Poll - 1 ELSE Grace

\* A live node waits in the queue, other than this one.
OthersWait(node) == \E n \in Nodes : n # node /\ alive[n] /\ waiting[n] > 0 /\ In(n, row.queue)

(* ---- Time. ---- *)

Tick ==
  /\ \A n \in Nodes : alive[n] /\ waiting[n] > 0 => poll[n] > 0
  /\ row' = [row EXCEPT !.left = Less1(@), !.reserved = IF ReservedForever THEN @ ELSE Less1(@)]
  /\ poll' = [n \in Nodes |-> Less1(poll[n])]
  /\ holds' = [n \in Nodes |-> Less1(holds[n])]
  /\ stale' = [n \in Nodes |-> stale[n] \/ holds[n] = 1]
  /\ since' = [n \in Nodes |-> IF holds[n] > 0 \/ (row.stayed /\ row.node = n) THEN Min(since[n] + 1, Stay) ELSE 0]
  /\ idle' = IF row.left = 0 /\ (\E n \in Nodes : alive[n] /\ waiting[n] > 0) THEN Min(idle + 1, Grace + Poll + 1) ELSE 0
  /\ kept' = IF (row.left > 0 \/ row.stayed) /\ OthersWait(row.node) THEN Min(kept + 1, Stay + Poll + LeaseTime + 1) ELSE 0
  /\ UNCHANGED <<waiting, alive, left, gone, overtaken, jumped, skipped>>

(* ---- The store: each of these is one statement. ---- *)

IsFirst(n) == row.queue # <<>> /\ Head(row.queue) = n
IsReserved(n) == row.queue # <<>> /\ row.reserved > 0 /\ ~IsFirst(n)
MayGet(n) == row.left = 0 /\ (IgnoreReservation \/ ~IsReserved(n))

\* The queue after a grant to the node. If the key was released, and the first node did not come in time, it loses its place.
TurnPassed(n) == row.released /\ row.queue # <<>> /\ ~IsFirst(n) /\ ~KeepPlace
QueueAfter(n) == Without(IF TurnPassed(n) THEN Tail(row.queue) ELSE row.queue, n)

Grant(n) ==
  /\ row' = [row EXCEPT !.node = n, !.left = LeaseTime, !.released = FALSE, !.stayed = FALSE, !.queue = QueueAfter(n)]
  /\ holds' = [holds EXCEPT ![n] = LeaseTime]
  /\ left' = {m \in left : In(m, row'.queue)}
  /\ idle' = 0
  /\ kept' = IF row.stayed /\ row.node = n THEN kept ELSE 0
  \* An expired key is not reserved: then whoever asks first may overtake the others.
  /\ overtaken' = [m \in Nodes |->
       IF ~In(m, row'.queue) THEN 0
       ELSE IF row.released /\ ~row.stayed THEN Min(overtaken[m] + 1, 9) ELSE overtaken[m]]
  /\ jumped' = (jumped \/ (row.released /\ IsReserved(n)))
  /\ skipped' = (skipped \/ (TurnPassed(n) /\ LET first == Head(row.queue) IN
                             alive[first] /\ waiting[first] > 0 /\ first \notin left))

\* The first waiting thread of a node asks. If the node is refused, it joins the end of the queue, or keeps its place.
Ask(n) ==
  /\ alive[n] /\ waiting[n] > 0
  /\ IF MayGet(n)
     THEN /\ Grant(n)
          /\ poll' = [poll EXCEPT ![n] = IF waiting[n] = 1 THEN 0 ELSE Poll]
          /\ waiting' = [waiting EXCEPT ![n] = @ - 1]
          /\ since' = [since EXCEPT ![n] = IF row.stayed THEN @ ELSE 0]
          /\ UNCHANGED <<stale, alive, gone>>
     ELSE /\ row' = IF In(n, row.queue) THEN row ELSE [row EXCEPT !.queue = Append(@, n)]
          /\ left' = left \ {n}
          /\ poll' = [poll EXCEPT ![n] = Poll]
          /\ UNCHANGED <<waiting, holds, stale, since, alive, gone, idle, kept, overtaken, jumped, skipped>>

\* A thread that does not wait asks. Its node may not pass the key on while others wait: the thread has not waited for it.
Try(n) ==
  /\ alive[n] /\ MayGet(n)
  /\ Grant(n)
  /\ since' = [since EXCEPT ![n] = Stay]
  /\ UNCHANGED <<waiting, poll, stale, alive, gone>>

Exists(n) == row.node = n /\ row.left > 0

\* The row after the lease was released, and what the store does with the queue.
Released(queue, stays) ==
  [row EXCEPT !.left = 0, !.released = TRUE, !.queue = queue, !.stayed = stays,
              !.reserved = IF row.queue # <<>> THEN GraceTime ELSE @]

EndsHold(n) ==
  /\ holds' = [holds EXCEPT ![n] = 0]
  /\ stale' = [stale EXCEPT ![n] = FALSE]

\* Unlocks, and no other thread of the node waits. If the lease is lost, the store changes nothing.
Release(n) ==
  /\ alive[n] /\ (holds[n] > 0 \/ stale[n]) /\ waiting[n] = 0
  /\ EndsHold(n)
  /\ row' = IF Exists(n) THEN Released(row.queue, FALSE) ELSE row
  /\ since' = [since EXCEPT ![n] = 0]
  /\ UNCHANGED <<waiting, poll, alive, left, gone, idle, kept, overtaken, jumped, skipped>>

\* Unlocks while other threads of the node wait. If other nodes wait, the node joins the queue: at its end, or first if its time is not over.
ReleaseAndQueue(n) ==
  /\ alive[n] /\ (holds[n] > 0 \/ stale[n]) /\ waiting[n] > 0
  /\ EndsHold(n)
  /\ \E first \in {FALSE, since[n] < Stay \/ JoinAtFront} :
       row' = IF ~Exists(n) THEN row
              ELSE IF row.queue = <<>> THEN Released(<<>>, FALSE)
              ELSE IF first THEN Released(<<n>> \o Without(row.queue, n), TRUE)
              ELSE Released(IF In(n, row.queue) THEN row.queue ELSE Append(row.queue, n), FALSE)
  /\ left' = IF Exists(n) THEN left \ {n} ELSE left
  /\ poll' = [poll EXCEPT ![n] = Min(@, Poll)]
  /\ UNCHANGED <<waiting, since, alive, gone, idle, kept, overtaken, jumped, skipped>>

\* Unlocks, and grants the key to another thread of the node: if no other node is in the queue, or the node has not had it for long.
Pass(n) ==
  /\ alive[n] /\ (holds[n] > 0 \/ (PassUnchecked /\ stale[n])) /\ waiting[n] > 0
  /\ PassUnchecked \/ Exists(n)
  /\ Without(row.queue, n) = <<>> \/ since[n] < Stay
  /\ row' = [row EXCEPT !.node = n, !.left = LeaseTime, !.released = FALSE, !.stayed = FALSE, !.queue = Without(@, n)]
  /\ left' = left \ {n}
  /\ holds' = [holds EXCEPT ![n] = LeaseTime]
  /\ stale' = [stale EXCEPT ![n] = FALSE]
  /\ waiting' = [waiting EXCEPT ![n] = @ - 1]
  /\ since' = IF PassForever THEN [since EXCEPT ![n] = 0] ELSE since
  /\ overtaken' = [overtaken EXCEPT ![n] = 0]
  /\ poll' = [poll EXCEPT ![n] = IF waiting[n] = 1 THEN 0 ELSE @]
  /\ kept' = IF Without(row.queue, n) = <<>> THEN 0 ELSE kept
  /\ UNCHANGED <<alive, gone, idle, jumped, skipped>>

(* ---- Threads and nodes come and go. ---- *)

Arrive(n) ==
  /\ alive[n] /\ waiting[n] < MostThreads
  /\ waiting' = [waiting EXCEPT ![n] = @ + 1]
  /\ poll' = IF waiting[n] = 0 THEN [poll EXCEPT ![n] = 0] ELSE poll
  /\ UNCHANGED <<row, holds, stale, since, alive, left, gone, idle, kept, overtaken, jumped, skipped>>

\* The last waiting thread gives up: the node leaves the queue. If the key was reserved for it, the next node gets a grace of its own.
Withdraw(n) ==
  /\ alive[n] /\ waiting[n] = 1
  /\ waiting' = [waiting EXCEPT ![n] = 0]
  /\ row' = [row EXCEPT !.queue = Without(@, n), !.stayed = @ /\ row.node # n,
                        !.reserved = IF IsFirst(n) /\ ~NoGraceForNext THEN GraceTime ELSE @]
  /\ idle' = IF IsFirst(n) THEN 0 ELSE idle
  /\ overtaken' = [overtaken EXCEPT ![n] = 0]
  /\ left' = left \ {n}
  /\ poll' = [poll EXCEPT ![n] = 0]
  /\ UNCHANGED <<holds, stale, since, alive, gone, kept, jumped, skipped>>

\* The same, but the node cannot reach the store: its place stays.
GiveUp(n) ==
  /\ alive[n] /\ waiting[n] > 0 /\ gone < MostGone
  /\ gone' = gone + 1
  /\ waiting' = [waiting EXCEPT ![n] = 0]
  /\ left' = IF In(n, row.queue) THEN left \cup {n} ELSE left
  /\ poll' = [poll EXCEPT ![n] = 0]
  /\ row' = [row EXCEPT !.stayed = @ /\ row.node # n]
  /\ UNCHANGED <<holds, stale, since, alive, idle, kept, overtaken, jumped, skipped>>

Die(n) ==
  /\ alive[n] /\ gone < MostGone
  /\ gone' = gone + 1
  /\ alive' = [alive EXCEPT ![n] = FALSE]
  /\ waiting' = [waiting EXCEPT ![n] = 0]
  /\ holds' = [holds EXCEPT ![n] = 0] /\ stale' = [stale EXCEPT ![n] = FALSE] /\ since' = [since EXCEPT ![n] = 0]
  /\ left' = IF In(n, row.queue) THEN left \cup {n} ELSE left
  /\ poll' = [poll EXCEPT ![n] = 0]
  /\ row' = [row EXCEPT !.stayed = @ /\ row.node # n]
  /\ UNCHANGED <<idle, kept, overtaken, jumped, skipped>>

Next ==
  \/ Tick
  \/ \E n \in Nodes : Ask(n) \/ Try(n) \/ Release(n) \/ ReleaseAndQueue(n) \/ Pass(n) \/ Arrive(n) \/ Withdraw(n) \/ GiveUp(n) \/ Die(n)

Spec == Init /\ [][Next]_vars

\* All nodes are alike.
Alike == Permutations(Nodes)

(* ---- What must always hold. ---- *)

\* Threads of two nodes never trust at the same time that they have the key.
OneHolder == Cardinality({n \in Nodes : holds[n] > 0}) <= 1

\* As long as a released key is reserved for the first node, no other node gets it.
ReservedForFirst == ~jumped

\* A live node that polls in time does not lose its place.
LiveNodeKeepsPlace == ~skipped

\* A key that is free, and that a live node wants, is granted after a grace and a poll: whatever dead nodes are in the queue.
FreeKeyIsTaken == idle <= Grace + Poll

\* A node in the queue is overtaken by each other node once at most, and once more for each place that nobody wants any more. A dead node does
\* not stay in the queue for longer either.
TurnComes == \A n \in Nodes : overtaken[n] <= Cardinality(Nodes) - 1 + gone

\* While another node waits, a node has the key for the time in which it may pass it on, a poll, and one more lease.
NobodyKeepsTheKey == kept <= Stay + Poll + LeaseTime
==============================================================================
