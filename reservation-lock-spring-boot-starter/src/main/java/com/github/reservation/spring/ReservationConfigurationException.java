// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

/** Thrown at start-up if the configuration cannot work. Spring Boot prints the description and the action. */
final class ReservationConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    /** Creates an exception with what is wrong, and what to do about it. */
    ReservationConfigurationException(String description, String action) {
        super(description + ' ' + action);
        this.description = description;
        this.action = action;
    }

    /** Creates an exception with what is wrong, what to do about it, and why. */
    ReservationConfigurationException(String description, String action, Throwable cause) {
        this(description, action);
        initCause(cause);
    }

    /** Passes the value of a property to a builder. If the builder refuses it, the exception names the property. */
    static void apply(String property, Runnable setter) {
        try {
            setter.run();
        } catch (IllegalArgumentException e) {
            throw new ReservationConfigurationException(
                    property + " is wrong: " + e.getMessage() + '.', "Correct the value of " + property + '.', e);
        }
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
