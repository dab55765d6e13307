// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.internal.expiration.jdbc.RowKey;
import java.util.List;
import java.util.Map;

/** What became of one attempt to expire a batch. Only the first changed anything. */
sealed interface Outcome {

    /** The rows are expired, but for those that were rejected. */
    record Committed(List<RowKey> expired, Map<RowKey, Throwable> rejected) implements Outcome {}

    /** These rows failed. The others can be tried again. */
    record Rejected(Map<RowKey, Throwable> culprits) implements Outcome {}

    /** One of these rows failed, and it is not known which. */
    record Failed(List<RowKey> suspects, Throwable cause) implements Outcome {}

    /** These rows failed together, and none need be at fault: they were too slow, or the commit failed. Fewer can be tried. */
    record Undecided(List<RowKey> suspects, Throwable cause) implements Outcome {}

    /** Another transaction was in the way, as in a deadlock. The same batch can be tried again. */
    record Contended(List<RowKey> suspects, Throwable cause) implements Outcome {}

    /** The run cannot go on. */
    record Ended(Throwable cause) implements Outcome {}
}
