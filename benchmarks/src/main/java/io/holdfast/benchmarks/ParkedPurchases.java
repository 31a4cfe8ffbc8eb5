package io.holdfast.benchmarks;

/** The events that are parked: purchases with a longer text, about 300 bytes of JSON each, every one of its own key. */
final class ParkedPurchases {

    /** Why handlers fail. */
    static final String CAUSE = "the account is closed";

    private static final String ARTICLE = "a larger article with a description that goes on for a while, as those do"
            + " which are copied from a catalogue with their colours, their sizes, the names of their makers and all"
            + " that is known of their use and care, two lines or so";

    private ParkedPurchases() {}

    static Purchases.Purchased of(String key, long number) {
        return new Purchases.Purchased(key, "order-" + number, number, "EUR", ARTICLE);
    }

    /** What {@link #of} is as JSON, with an {@code @} where the key stands. */
    static String json() {
        return Purchases.json("@", 1, ARTICLE);
    }
}
