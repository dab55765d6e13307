------------------------------- MODULE History -------------------------------
(* An example of a history for LeaseTrace.tla: a lease of a second is released, and another client gets the key. Times are microseconds. *)

\* What was called; until: the end of trust. Fences are numbered from 1. Acquisitions that were not granted are left out.
Calls == <<
  [what |-> "acquire", result |-> "granted", fence |-> 1, lease |-> 1000000, margin |-> 50000, until |-> 950000, renewed |-> FALSE],
  [what |-> "release", result |-> "released", fence |-> 1, lease |-> 1000000, margin |-> 50000, until |-> 0, renewed |-> FALSE],
  [what |-> "acquire", result |-> "granted", fence |-> 2, lease |-> 1000000, margin |-> 50000, until |-> 1250000, renewed |-> FALSE]
>>

\* The requests and replies, in the order of their times; a client was "told" of a loss.
Events == <<
  [time |-> 0, kind |-> "sent", call |-> 1],
  [time |-> 5000, kind |-> "answered", call |-> 1],
  [time |-> 300000, kind |-> "sent", call |-> 3],
  [time |-> 400000, kind |-> "sent", call |-> 2],
  [time |-> 410000, kind |-> "answered", call |-> 2],
  [time |-> 420000, kind |-> "answered", call |-> 3]
>>

\* By how many microseconds the clocks of the store and of the history may differ during one lease.
Slack == 10000
==============================================================================
