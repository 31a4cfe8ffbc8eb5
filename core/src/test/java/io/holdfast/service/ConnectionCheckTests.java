package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.UnitTransactions;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ConnectionCheckTests {

    @Test
    void countsHandlerThreadsOnlyIfHandlersWriteRows() {
        assertThat(ConnectionCheck.of(service(3, false))).isEmpty();
        assertThat(ConnectionCheck.of(service(2, false)))
                .contains("Service pings has a pool of 2 connections and should have at least 3: 3 for the engine. With"
                        + " fewer, threads wait for each other's connections. Enlarge the pool (Spring Boot:"
                        + " spring.datasource.hikari.maximum-pool-size)");
        assertThat(ConnectionCheck.of(service(11, true))).isEmpty();
        assertThat(ConnectionCheck.of(service(10, true))).hasValueSatisfying(warning -> assertThat(warning)
                .contains("should have at least 11: 3 for the engine and one for each of 8 threads"));
    }

    private static HoldfastServiceBuilder service(int connections, boolean writesRows) {
        InMemoryStore store = new InMemoryStore("pings", Clock.systemUTC());
        UnitTransactions limited = (UnitTransactions) Proxy.newProxyInstance(
                ConnectionCheckTests.class.getClassLoader(),
                new Class<?>[] {UnitTransactions.class},
                (proxy, method, arguments) -> OptionalInt.of(connections));
        Store limitedStore = (Store) Proxy.newProxyInstance(
                ConnectionCheckTests.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) ->
                        method.getName().equals("unitTransactions") ? limited : method.invoke(store, arguments));
        Component.Builder component = Component.named("counting").on(String.class, (text, context) -> {});
        return HoldfastService.named("pings", limitedStore, new InMemoryWire()).processor("own", processor -> processor
                .reads("pings")
                .calls((writesRows ? component.rowsIn(store) : component).build()));
    }
}
