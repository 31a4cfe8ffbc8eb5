package io.holdfast.benchmarks;

/** The events that are parked: purchases with a longer text, about 300 bytes of JSON each, and one key per event. */
final class ParkedPurchases {

    /** The failure message of handlers. */
    static final String CAUSE = "the account is closed";

    private static final String ARTICLE = "a larger article with a description that continues for a bit, as those do"
            + " which are copied from a catalogue with their colours, their sizes, the names of their makers and all"
            + " that is known of their use and care, two lines or so";

    private ParkedPurchases() {}

    static Purchases.Purchased of(String key, long number) {
        return new Purchases.Purchased(key, "order-" + number, number, "EUR", ARTICLE);
    }

    /** Returns {@link #of} as JSON; {@code @} is the placeholder for the key. */
    static String json() {
        return Purchases.json("@", 1, ARTICLE);
    }
}
