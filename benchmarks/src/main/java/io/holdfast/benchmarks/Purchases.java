package io.holdfast.benchmarks;

import io.holdfast.aggregate.AggregateType;
import java.util.Locale;

/** The benchmarks' domain: purchases on accounts, about 200 bytes of JSON each. */
final class Purchases {

    static final String SERVICE = "bench";
    static final String STREAM = "accounts";
    static final String COMPONENT = SERVICE + "/commands";

    static final AggregateType<Account> ACCOUNT = accounts(STREAM);

    private static final String ARTICLE =
            "a small article with a description as long as they usually are, in one line of text";

    private Purchases() {}

    static AggregateType<Account> accounts(String stream) {
        return AggregateType.of(stream, Account.class, new Account(0, 0))
                .on(
                        Purchased.class,
                        (account, event) -> new Account(account.purchases() + 1, account.spent() + event.amount()))
                .build();
    }

    static String key(long number) {
        return String.format(Locale.ROOT, "account-%08d", number);
    }

    static Purchased purchase(String account, long amount) {
        return new Purchased(account, "order-" + amount, amount, "EUR", ARTICLE);
    }

    /** Returns {@link #purchase} as JSON. */
    static String json(String account, long amount) {
        return json(account, amount, ARTICLE);
    }

    static String json(String account, long amount, String article) {
        return "{\"account\":\"" + account + "\",\"order\":\"order-" + amount + "\",\"amount\":" + amount
                + ",\"currency\":\"EUR\",\"article\":\"" + article + "\"}";
    }

    record Account(long purchases, long spent) {}

    record Purchased(String account, String order, long amount, String currency, String article) {}
}
