// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.LossReason;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationBusyException;
import com.github.reservation.ReservationExpiredException;
import com.github.reservation.contract.ScriptedStore.Op;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockExecutionResult;
import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockOptions;
import com.github.reservation.store.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work belongs to its thread: it joins what the thread holds, and keeps everyone else out. */
public abstract class WorkContract extends OnScriptedStore {

    private static final LockOptions ONCE = LockOptions.defaults().waitTime(Duration.ZERO);
    private static final LockOptions ONE_LEASE = LockOptions.defaults().maxHold(LEASE);

    private boolean isLocked() {
        return otherNode.getReservation(ID).isLocked();
    }

    @Test
    void nestedWorkJoinsTheLockOfItsThread_andTheOutermostReleasesIt() throws Exception {
        AtomicInteger joined = new AtomicInteger();

        node.run(ID, outer -> {
            node.run(ID, inner -> joined.incrementAndGet());
            node.run(ID, ONCE, inner -> joined.incrementAndGet());
            assertThat(node.<Integer, RuntimeException>call(ID, inner -> joined.incrementAndGet())).isEqualTo(3);
            assertThat(node.tryRun(ID, inner -> joined.incrementAndGet()).isExecuted()).isTrue();
            assertThat(node.tryCall(ID, ONCE, inner -> joined.incrementAndGet()).orElse(0)).isEqualTo(5);
            assertThat(node.tryLock(ID, inner -> {
                assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
            }).isExecuted()).isTrue();
            assertThat(outer.isHeld()).isTrue();
            assertThat(isLocked()).isTrue();
        });

        assertThat(joined).hasValue(5);
        assertThat(store.calls(Op.ACQUIRE)).isEqualTo(1);
        assertThat(isLocked()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    @Tag("renewal")
    void toJoinWorkThatIsRenewedAsksTheStoreNothing() {
        node.run(ID, outer -> node.run(ID, inner -> assertThat(inner.isHeld()).isTrue()));

        assertThat(store.calls(Op.RENEW)).isZero();
    }

    @Test
    void workJoinsAReservationOfItsThread_andAReservationJoinsWork() throws Exception {
        reservation.lock();
        assertThat(node.tryRun(ID, work -> {
            assertThat(work.isHeld()).isTrue();
            assertThat(reservation.getHoldCount()).isEqualTo(2);
        }).isExecuted()).isTrue();
        assertThat(reservation.isHeldByCurrentThread()).isTrue();
        assertThat(isLocked()).isTrue();
        reservation.unlock();
        assertThat(isLocked()).isFalse();

        node.run(ID, work -> {
            assertThat(reservation.tryLock()).isTrue();
            reservation.unlock();
            assertThat(work.isHeld()).isTrue();
        });
        assertThat(isLocked()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    void workOfAnotherThreadIsKeptOut() throws Exception {
        node.run(ID, work -> {
            Future<LockExecutionResult<Void>> here = actor("same node").starts(() -> node.tryRun(ID, other -> {}));
            Future<LockExecutionResult<Void>> there =
                    actor("other node").starts(() -> otherNode.tryRun(ID, ONCE, other -> {}));
            assertThat(Actor.result(here).isExecuted()).isFalse();
            assertThat(Actor.result(there).isExecuted()).isFalse();
        });

        Actor other = actor("later");
        assertThat(Actor.result(other.starts(() -> node.tryRun(ID, work -> {}))).isExecuted()).isTrue();
    }

    @Test
    void nestedWorkThatReleasesItsLockEndsOnlyItself() throws Exception {
        node.run(ID, outer -> {
            node.run(ID, inner -> {
                assertThat(inner.release()).isTrue();
                assertThat(inner.isHeld()).isFalse();
                assertThat(inner.remaining()).isZero();
                assertThat(inner.release()).isFalse();
                assertThatThrownBy(inner::ensureHeld).isInstanceOf(IllegalStateException.class);
            });
            assertThat(outer.isHeld()).isTrue();
            assertThat(isLocked()).isTrue();
            assertThat(outer.release()).isTrue();
            assertThat(isLocked()).isFalse();
        });
        awaitNothingLeft(node);
    }

    @Test
    void onlyTheThreadOfTheWorkReleasesItsLock() {
        node.run(ID, work -> {
            Future<Boolean> released = actor("another").starts(work::release);
            assertThat(Actor.failure(released)).isInstanceOf(IllegalMonitorStateException.class);
            assertThat(actor("looks").ask(work::isHeld)).isTrue();
        });
        assertThat(isLocked()).isFalse();
    }

    @Test
    @Tag("renewal")
    void workAfterALossGetsANewLock_andTheLostWorkSaysSo() throws Exception {
        LockExecutionResult<String> result = node.tryCall(ID, lost -> {
            otherNode.getReservation(ID).forceUnlock();
            backend.await("the loss is known", () -> !lost.isHeld() || !lost.renew());
            node.run(ID, fresh -> {
                assertThat(fresh.isHeld()).isTrue();
                assertThat(lost.isHeld()).isFalse();
                assertThat(isLocked()).isTrue();
            });
            assertThat(isLocked()).isFalse();
            return "done";
        });

        assertThat(result).isInstanceOfSatisfying(Executed.class, executed -> assertThat(executed.lossReason())
                .isEqualTo(LossReason.FORCED));
        assertThat(isLocked()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    void lostWorkThatReleasesItsLockLeavesTheNewOneAlone() throws Exception {
        assertThatThrownBy(() -> node.run(ID, lost -> {
            node.getReservation(ID).forceUnlock();
            node.run(ID, fresh -> {
                assertThat(lost.release()).isFalse();
                assertThat(fresh.isHeld()).isTrue();
                assertThat(isLocked()).isTrue();
            });
        })).isInstanceOf(ReservationExpiredException.class);
        assertThat(isLocked()).isFalse();
        awaitNothingLeft(node);
    }

    @Test
    @Tag("renewal")
    void workIsRenewedUntilItEnds() throws Exception {
        node.run(ID, work -> {
            for (int i = 0; i < 6; i++) {
                backend.passTime(LEASE.dividedBy(2));
                backend.await("it was renewed", () -> work.remaining().compareTo(LEASE.dividedBy(2)) > 0);
            }
        });
        assertThat(isLocked()).isFalse();
    }

    @Test
    void workThatIsHeldForLongerThanItMaySaysThatItsLockWasLost() {
        assertThatThrownBy(() -> node.run(ID, ONE_LEASE, work -> backend.passTime(LEASE.plusMillis(500))))
                .isInstanceOf(ReservationExpiredException.class);
    }

    @Test
    void aReleaseWithoutAnAnswerDoesNotChangeWhatRunAndCallReturn() throws Exception {
        String result = node.call(ID, work -> {
            store.goDown(Kind.UNAVAILABLE);
            return "done";
        });

        assertThat(result).isEqualTo("done");
        store.comeBack();
        awaitNothingLeft(node);
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aBusyLockIsNotAFailure_andTheExceptionNamesTheHolder() throws Exception {
        Reservation held = otherNode.getReservation(ID);
        actor("holder").does(() -> held.lock(LONG_LEASE));
        int finds = store.calls(Op.FIND);

        for (Actor.Step step : List.<Actor.Step>of(
                () -> node.run(ID, ONCE, work -> {}),
                () -> node.call(ID, ONCE, HeldLock::name),
                () -> node.acquire(ID, ONCE))) {
            assertThatThrownBy(step::run).isInstanceOfSatisfying(ReservationBusyException.class, busy -> {
                assertThat(busy.getDomain()).isEqualTo(DOMAIN);
                assertThat(busy.getIdentifier()).isEqualTo(ID);
                assertThat(busy.getHolder()).hasValueSatisfying(holder -> assertThat(holder).contains("@"));
                assertThat(busy.getRemaining().orElseThrow()).isPositive().isLessThanOrEqualTo(LONG_LEASE);
                assertThat(busy).hasMessageContaining(ID).hasMessageNotContaining(busy.getHolder().get());
            });
        }
        assertThat(store.calls(Op.FIND) - finds).isEqualTo(3);

        assertThat(node.tryRun(ID, ONCE, work -> {}).isExecuted()).isFalse();
        assertThat(node.tryAcquire(ID)).isNull();
        assertThat(store.calls(Op.FIND) - finds).isEqualTo(3);
    }

    @Test
    void aStoreThatFailsAfterItsRefusalLeavesTheHolderUnknown() {
        HeldLock held = Objects.requireNonNull(otherNode.tryAcquire(ID));
        store.failNext(Op.FIND, Kind.UNAVAILABLE);

        assertThatThrownBy(() -> node.run(ID, ONCE, work -> {}))
                .isInstanceOfSatisfying(ReservationBusyException.class, busy -> {
                    assertThat(busy.getHolder()).isEmpty();
                    assertThat(busy.getRemaining()).isEmpty();
                });
        held.close();
    }

    @Test
    void aStoreThatFailsInAnUnexpectedWayAfterItsRefusalLeavesTheHolderUnknown() {
        HeldLock held = Objects.requireNonNull(otherNode.tryAcquire(ID));
        store.next(Op.FIND, false, () -> {
            throw new ArithmeticException("scripted");
        });

        assertThatThrownBy(() -> node.run(ID, ONCE, work -> {}))
                .isInstanceOfSatisfying(ReservationBusyException.class, busy -> assertThat(busy.getHolder()).isEmpty());
        held.close();
    }

    @Test
    void theLookForTheHolderIsNotInterrupted() {
        HeldLock held = Objects.requireNonNull(otherNode.tryAcquire(ID));
        store.next(Op.ACQUIRE, true, () -> Thread.currentThread().interrupt());
        AtomicInteger interrupted = new AtomicInteger();
        store.next(Op.FIND, false, () -> interrupted.set(Thread.currentThread().isInterrupted() ? 1 : 0));

        assertThatThrownBy(() -> node.run(ID, ONCE, work -> {})).isInstanceOf(ReservationBusyException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).hasValue(0);
        held.close();
    }

    @Test
    void workThatJoinsDoesNotLengthenTheLongestHold() {
        assertThatThrownBy(() -> node.run(ID, ONE_LEASE, work -> {
            backend.passTime(LEASE.dividedBy(2));
            node.run(ID, LockOptions.defaults().leaseTime(LONG_LEASE), joined -> {});
            backend.passTime(LEASE.dividedBy(2).plusMillis(500));
            assertThat(work.isHeld()).isFalse();
        })).isInstanceOf(ReservationExpiredException.class);
        assertThat(store.calls(Op.RENEW)).isZero();
    }

    @Test
    void aLossAfterNestedWorkHasReleasedItsLockIsNoLossOfThatWork() throws Exception {
        assertThatThrownBy(() -> node.run(ID, outer -> {
            LockExecutionResult<Void> result = node.tryRun(ID, inner -> {
                assertThat(inner.release()).isTrue();
                node.getReservation(ID).forceUnlock();
                assertThat(outer.isHeld()).isFalse();
                assertThatThrownBy(inner::ensureHeld).isExactlyInstanceOf(IllegalStateException.class);
            });
            assertThat(result).isInstanceOfSatisfying(Executed.class, executed -> assertThat(executed.lossReason())
                    .isNull());
        })).isInstanceOf(ReservationExpiredException.class);
        awaitNothingLeft(node);
    }
}
