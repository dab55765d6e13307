// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.RandomHex;
import com.github.reservation.store.AcquireRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * This manager, as the store sees it: it names the holder of each acquisition, and itself among those that wait for a key.
 *
 * <p>The name of a holder is {@code thread-7@host/4711-} and 32 random hex digits. The readable part is for people, and a label may stand
 * for host and process; the random part makes the name unique and is a secret: with it, the lease can be released.
 *
 * <p>Every name draws its own random part when it is needed, that of the node at the first wait, see {@link RandomHex}: with the same part
 * in two clones of a process, the late unlock of one could release the lease of the other.
 */
public final class Node {

    private static final int MAX_THREAD_NAME = 64;
    private static final int MAX_LABEL = 100;
    private static final int HOLDER_BYTES = 16;
    private static final int NODE_BYTES = 8;
    private static final Pattern NOT_PLAIN = Pattern.compile("[^!-~]");

    /** Found once, by the first acquisition: to ask for the host name can take seconds where the name service is slow. */
    private static final class ThisProcess {

        static final String NAME =
                plain(hostName(), MAX_LABEL) + '/' + ProcessHandle.current().pid();
    }

    private final @Nullable String label;
    private final AtomicReference<@Nullable String> name = new AtomicReference<>();

    /** Creates a node whose holders are named after {@code label}; null for host and process id. */
    Node(@Nullable String label) {
        this.label = label;
    }

    /** Returns the label if it can stand in the name of a holder; errors name the argument. */
    public static String requireLabel(String argument, String label) {
        Objects.requireNonNull(label, argument + " must not be null");
        if (label.isEmpty() || label.length() > MAX_LABEL || !isPlain(label)) {
            throw new IllegalArgumentException(argument + " must be 1 to " + MAX_LABEL
                    + " printable characters of ASCII without blanks, but is \"" + Log.oneLine(label) + '"');
        }
        return label;
    }

    /** Returns a name for an acquisition by the thread. It is ASCII, and shorter than 256 characters. */
    String nextHolder(Thread thread) {
        String threadName = thread.getName().isEmpty() ? "thread" : plain(thread.getName(), MAX_THREAD_NAME);
        return threadName + '-' + thread.threadId() + '@' + (label == null ? ThisProcess.NAME : label) + '-'
                + RandomHex.of(HOLDER_BYTES);
    }

    /** Returns the name to wait under: 16 characters, because the store keeps many of them. */
    public String name() {
        String drawn = name.get();
        if (drawn != null) {
            return drawn;
        }
        String fresh = RandomHex.of(NODE_BYTES);
        return name.compareAndSet(null, fresh) ? fresh : name();
    }

    /** Returns the name if this node has ever waited, else {@link AcquireRequest#NO_NODE}. */
    public String nameIfWaited() {
        String drawn = name.get();
        return drawn == null ? AcquireRequest.NO_NODE : drawn;
    }

    /** Returns the part of a holder's name that may be shown. */
    public static String readable(String holder) {
        int end = holder.lastIndexOf('-');
        return end < 0 ? holder : holder.substring(0, end);
    }

    /** Thread names may hold anything; the column of the holder may not. */
    private static String plain(String text, int maxLength) {
        String cut = text.substring(0, Math.min(text.length(), maxLength));
        return isPlain(cut) ? cut : NOT_PLAIN.matcher(cut).replaceAll("_");
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
