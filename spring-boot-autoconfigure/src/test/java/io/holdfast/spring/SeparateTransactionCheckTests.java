package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.processing.EventHandler;
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

/** A transaction that commits apart from the position may happen twice: who runs one without having said so is told. */
@ExtendWith(OutputCaptureExtension.class)
class SeparateTransactionCheckTests {

    @Test
    void transactionalHandlersAreRejectedUnlessTheirComponentSaysWhatItMeans() {
        Runners.inMemory().withUserConfiguration(Handlers.class).run(context -> assertThat(
                        rejection(context.getStartupFailure()))
                .hasMessage(
                        """
                                event components cannot be used as they are:
                                  bean %1$s$ByClass: its handler on is @Transactional: %2$s
                                  bean %1$s$ByMethod: its handler on is @Transactional: %2$s"""
                                .formatted(
                                        SeparateTransactionCheckTests.class.getName(),
                                        "it commits apart from the position, and after a crash between the two"
                                                + " the event is handled again; say @EventComponent(writesApplicationRows ="
                                                + " true), so that both are one transaction, or replayable = true if"
                                                + " handling an event twice is as handling it once. A transaction"
                                                + " that is meant to be apart says REQUIRES_NEW")));
    }

    @Test
    void aTransactionThatAHandlerCallsIsWarnedOfOnce(@TempDir Path directory, CapturedOutput output) {
        Runners.inFile(directory).withUserConfiguration(Callers.class).run(context -> {
            EventSourcingController commands = context.getBean(EventSourcingController.class);
            for (String key : List.of("a", "b", "c")) {
                commands.execute(Command.once(Clock.systemUTC()), Till.TYPE, key, till -> till.pay(1));
            }
            TransactionalService called = context.getBean(TransactionalService.class);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(called.callers()).hasSize(12));
        });

        assertThat(output.getAll().lines().filter(line -> line.contains("has run transaction")))
                .singleElement()
                .asString()
                .contains("component unaware has run transaction " + TransactionalService.class.getName()
                        + ".write: it commits" + " apart from the position");
    }

    private static Throwable rejection(@Nullable Throwable failure) {
        Throwable found = Objects.requireNonNull(failure, "it has started");
        while (!(found instanceof InvalidConfigurationException)) {
            found = Objects.requireNonNull(found.getCause(), "it has failed for something else");
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

    @EventComponent(name = "apart", reads = "tills")
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

    @EventComponent(name = "replayable", reads = "tills", resettable = true)
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

    /** Somebody else's service. */
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
