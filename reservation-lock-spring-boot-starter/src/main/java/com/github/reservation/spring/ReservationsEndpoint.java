// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationInfo;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code reservations}: who holds what, and release by force. Identifiers may be personal data, so access is
 * {@code none} unless the application grants {@code read-only}, or {@code unrestricted} for releases.
 *
 * <p>It knows the domains that this application has used since it started. Each operation but the list of domains asks the store.
 */
@Endpoint(id = "reservations", defaultAccess = Access.NONE)
public final class ReservationsEndpoint {

    private static final Log LOG = LogFactory.getLog(ReservationsEndpoint.class);
    private static final int DEFAULT_SIZE = 100;
    private static final int MAX_SIZE = 1000;

    private final ReservationManagers managers;

    ReservationsEndpoint(ReservationManagers managers) {
        this.managers = managers;
    }

    /** Returns the domains. */
    @ReadOperation
    public Domains domains() {
        return new Domains(managers.domains());
    }

    /**
     * Returns the held reservations of a domain, by identifier; null if the domain is unknown.
     *
     * @param page the page, from 0; default 0
     * @param size the size of a page, from 1 to 1000; default 100
     */
    @ReadOperation
    public @Nullable Page reservations(@Selector String domain, @Nullable Integer page, @Nullable Integer size) {
        int number = require("page", page == null ? 0 : page, 0, Integer.MAX_VALUE);
        int length = require("size", size == null ? DEFAULT_SIZE : size, 1, MAX_SIZE);
        Optional<ReservationManager> manager = managers.find(domain);
        if (manager.isEmpty()) {
            return null;
        }
        List<Held> all = manager.get().listReservations().stream()
                .sorted(Comparator.comparing(ReservationInfo::identifier))
                .map(Held::of)
                .toList();
        int from = (int) Math.min((long) number * length, all.size());
        int to = Math.min(from + length, all.size());
        return new Page(domain, number, length, all.size(), all.subList(from, to));
    }

    /** Releases a reservation regardless of its holder. */
    @DeleteOperation
    public void release(@Selector String domain, String identifier) {
        ReservationManager manager = managers.find(domain).orElseThrow(() -> new InvalidEndpointRequestException(
                "domain must be one of " + managers.domains() + ", but is \"" + domain + '"', "unknown domain"));
        Reservation reservation;
        try {
            reservation = manager.getReservation(identifier);
        } catch (InvalidReservationKeyException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "wrong identifier", e);
        }
        reservation.forceUnlock();
        LOG.warn(reservation + " was released by force, through the actuator"); // Line breaks in its name are escaped.
    }

    private static int require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new InvalidEndpointRequestException(
                    name + " must be from " + least + " to " + most + ", but is " + value, "wrong " + name);
        }
        return value;
    }

    /**
     * The domains of this application.
     *
     * @param domains their names, in alphabetical order
     */
    public record Domains(Set<String> domains) {}

    /**
     * A part of the held reservations of a domain.
     *
     * @param page the number of the page, from 0
     * @param size the size of a full page
     * @param total how many reservations of the domain are held
     */
    public record Page(String domain, int page, int size, int total, List<Held> reservations) {}

    /**
     * A held reservation.
     *
     * @param holder the readable part of the holder's name
     * @param since when it was acquired, by the store's clock
     * @param remaining the remaining lease time
     * @param fencingToken the fencing token, if the backend has tokens
     */
    public record Held(
            String identifier, String holder, Instant since, Duration remaining, @Nullable Long fencingToken) {

        private static Held of(ReservationInfo info) {
            return new Held(
                    info.identifier(),
                    info.holder(),
                    info.since(),
                    info.remaining(),
                    info.fencingToken().isPresent() ? info.fencingToken().getAsLong() : null);
        }
    }
}
