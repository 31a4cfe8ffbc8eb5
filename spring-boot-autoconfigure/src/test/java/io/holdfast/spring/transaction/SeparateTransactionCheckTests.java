package io.holdfast.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import io.holdfast.spring.Runners;
import io.holdfast.spring.Till;
import io.holdfast.spring.properties.InvalidConfigurationException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A transaction that commits separately from the position may run twice, so undeclared ones are rejected or logged. */
@ExtendWith(OutputCaptureExtension.class)
class SeparateTransactionCheckTests {

    @Test
    void rejectsTransactionalHandlersUnlessTheirComponentDeclaresThem() {
        Runners.inMemory().withUserConfiguration(Handlers.class).run(context -> assertThat(
                        rejection(context.getStartupFailure()))
                .hasMessage(
                        """
                                invalid event components:
                                  bean %1$s$ByClass: its handler on is @Transactional: %2$s
                                  bean %1$s$ByMethod: its handler on is @Transactional: %2$s"""
                                .formatted(
                                        SeparateTransactionCheckTests.class.getName(),
                                        "it commits separately from the position, so after a crash between the two"
                                                + " commits, the event is handled again; declare"
                                                + " @EventComponent(writesApplicationRows = true) to commit both in one"
                                                + " transaction, or resettable = true if the handler is idempotent. If a"
                                                + " separate transaction is intended, use REQUIRES_NEW")));
    }

    @Test
    void warnsOnceAboutATransactionThatAHandlerCalls(@TempDir Path directory, CapturedOutput output) {
        Runners.inFile(directory).withUserConfiguration(Callers.class).run(context -> {
            EventSourcingController commands = context.getBean(EventSourcingController.class);
            for (String key : List.of("a", "b", "c")) {
                commands.execute(Command.once(Clock.systemUTC()), Till.TYPE, key, till -> till.pay(1));
            }
            TransactionalService called = context.getBean(TransactionalService.class);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(called.callers()).hasSize(12));
        });

        assertThat(output.getAll().lines().filter(line -> line.contains(" ran transaction ")))
                .singleElement()
                .asString()
                .contains("Component unaware ran transaction " + TransactionalService.class.getName()
                        + ".write: it commits separately from the position");
    }

    private static Throwable rejection(@Nullable Throwable failure) {
        Throwable found = Objects.requireNonNull(failure, "the application has started");
        while (!(found instanceof InvalidConfigurationException)) {
            found = Objects.requireNonNull(found.getCause(), "the application has failed for another reason");
        }
        return found;
    }

    @Configuration(proxyBeanMethods = false)
    @Import({ByClass.class, ByMethod.class, RequiresNew.class, Reading.class, Resettable.class})
    static class Handlers {}

    @EventComponent(name = "by-class", reads = "tills")
    @Transactional
    static class ByClass {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "by-method", reads = "tills")
    static class ByMethod {

        @EventHandler
        @Transactional
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "requires-new", reads = "tills")
    static class RequiresNew {

        @EventHandler
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "reading", reads = "tills")
    static class Reading {

        @EventHandler
        @Transactional(readOnly = true)
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "resettable", reads = "tills", resettable = true)
    static class Resettable {

        @EventHandler
        @Transactional
        void on(Till.Paid paid) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({TransactionalService.class, Unaware.class, RowWriter.class, ResettableCaller.class, OnlyReading.class})
    static class Callers {

        @Bean
        AggregateType<Till> till() {
            return Till.TYPE;
        }
    }

    /** A service that knows nothing of events. */
    static class TransactionalService {

        private final List<String> callers = new CopyOnWriteArrayList<>();

        public List<String> callers() {
            return callers;
        }

        @Transactional
        public void write(String caller) {
            callers.add(caller);
        }

        @Transactional(readOnly = true)
        public void read(String caller) {
            callers.add(caller);
        }
    }

    @EventComponent(name = "unaware", reads = "tills")
    static class Unaware {

        private final TransactionalService called;

        Unaware(TransactionalService called) {
            this.called = called;
        }

        @EventHandler
        void on(Till.Paid paid) {
            called.write("unaware");
        }
    }

    @EventComponent(name = "keeping", reads = "tills", writesApplicationRows = true)
    static class RowWriter {

        private final TransactionalService called;

        RowWriter(TransactionalService called) {
            this.called = called;
        }

        @EventHandler
        void on(Till.Paid paid) {
            called.write("keeping");
        }
    }

    @EventComponent(name = "repeating", reads = "tills", resettable = true)
    static class ResettableCaller {

        private final TransactionalService called;

        ResettableCaller(TransactionalService called) {
            this.called = called;
        }

        @EventHandler
        void on(Till.Paid paid) {
            called.write("repeating");
        }
    }

    @EventComponent(name = "only-reading", reads = "tills")
    static class OnlyReading {

        private final TransactionalService called;

        OnlyReading(TransactionalService called) {
            this.called = called;
        }

        @EventHandler
        void on(Till.Paid paid) {
            called.read("only-reading");
        }
    }
}
