package io.holdfast.examples.shop.launcher;

import io.holdfast.examples.shop.account.AccountApplication;
import io.holdfast.examples.shop.inventory.InventoryApplication;
import io.holdfast.examples.shop.order.OrderApplication;
import io.holdfast.examples.shop.payment.PaymentApplication;
import java.util.Locale;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The services of the shop and their ports. */
public enum ShopService {
    ACCOUNT(0, AccountApplication.class),
    INVENTORY(1, InventoryApplication.class),
    ORDER(2, OrderApplication.class),
    PAYMENT(3, PaymentApplication.class);

    /** System property that moves all ports, so that a test does not collide with a running shop. */
    public static final String FIRST_PORT_PROPERTY = "shop.first-port";

    private static final int DEFAULT_FIRST_PORT = 8081;

    private final int portOffset;
    private final Class<?> mainClass;

    ShopService(int portOffset, Class<?> mainClass) {
        this.portOffset = portOffset;
        this.mainClass = mainClass;
    }

    public int port() {
        return Integer.getInteger(FIRST_PORT_PROPERTY, DEFAULT_FIRST_PORT) + portOffset;
    }

    public String address() {
        return "http://localhost:" + port();
    }

    /** Returns the value of {@code spring.application.name}. */
    public String serviceName() {
        return name().toLowerCase(Locale.ROOT);
    }

    Class<?> mainClass() {
        return mainClass;
    }

    SpringApplicationBuilder application() {
        return switch (this) {
            case ACCOUNT -> AccountApplication.application();
            case INVENTORY -> InventoryApplication.application();
            case ORDER -> OrderApplication.application();
            case PAYMENT -> PaymentApplication.application();
        };
    }
}
