package io.holdfast.tck.saga;

import java.util.Set;

/**
 * A version of a service.
 *
 * @param lacking the event types that it has no handlers for
 * @param knowsSagas whether it declares the saga; otherwise it neither tracks sagas nor names steps in its events
 */
record TradeVersion(Set<String> lacking, boolean knowsSagas) {

    static final TradeVersion CURRENT = new TradeVersion(Set.of(), true);

    static TradeVersion without(String eventType) {
        return new TradeVersion(Set.of(eventType), true);
    }

    static TradeVersion withoutSagas() {
        return new TradeVersion(Set.of(), false);
    }

    @Override
    public String toString() {
        return this.equals(CURRENT) ? "current" : (knowsSagas ? "without " + lacking : "without sagas");
    }
}
