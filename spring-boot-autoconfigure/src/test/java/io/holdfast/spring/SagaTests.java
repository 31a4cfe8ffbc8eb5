package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.InvalidSettingsException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaTimedOutEvent;
import io.holdfast.saga.StoredSaga;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

class SagaTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = Runners.inMemory().withUserConfiguration(Bookings.class);

    @Test
    void tracksSagasThatABeanMethodDeclaresOnTheRegistry() {
        runner.withUserConfiguration(DeclaredByBeanMethod.class).run(SagaTests::startsAndCompletesASaga);
    }

    @Test
    void tracksSagasThatARegistrarDeclares() {
        runner.withUserConfiguration(DeclaredByRegistrar.class).run(SagaTests::startsAndCompletesASaga);
    }

    private static void startsAndCompletesASaga(BeanFactory context) {
        start(context, "b-1");
        assertThat(saga(context, "b-1").status())
                .as("readable when the command returns")
                .isEqualTo(SagaStatus.STARTED);

        execute(context, "b-1", new Confirmed());

        assertThat(saga(context, "b-1").status()).isEqualTo(SagaStatus.COMPLETED);
    }

    @Test
    void reportsMistakesInDeclarationsWhenTheApplicationStarts() {
        runner.withBean(CompensationRegistrar.class, () -> () -> {})
                .withInitializer(context ->
                        context.getBeanFactory().registerSingleton("compensationRegistry", registryWithMistake()))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidSettingsException.class)
                        .hasMessageContaining("Booking"));
    }

    private static CompensationRegistry registryWithMistake() {
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga("Booking").streams("bookings").register("Booked", "Cancelled", "shop");
        return registry;
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void warnsAboutDeadlinesOfUnknownSagaTypes(CapturedOutput output) {
        runner.withUserConfiguration(DeclaredByBeanMethod.class)
                .withPropertyValues("saga.timeout.saga-types.Bookings=10s", "saga.timeout.saga-types.Booking=10s")
                .run(context -> assertThat(output)
                        .contains("saga.timeout.saga-types configures [Bookings], which this service does not declare;"
                                + " its saga types are [Booking]"));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void acceptsDeadlinesInAServiceWithoutSagas(CapturedOutput output) {
        runner.withPropertyValues("saga.timeout.saga-types.Booking=10s")
                .run(context -> assertThat(output).doesNotContain("saga.timeout"));
    }

    @Test
    void usesTheDeadlineOfTheTypeOrTheDefault() {
        runner.withUserConfiguration(DeclaredByBeanMethod.class)
                .withPropertyValues("saga.timeout.default-deadline=11m")
                .run(context -> assertThat(timeLimit(context)).hasMinutes(11));
        runner.withUserConfiguration(DeclaredByBeanMethod.class)
                .withPropertyValues("saga.timeout.saga-types.Booking=12m", "saga.timeout.default-deadline=11m")
                .run(context -> assertThat(timeLimit(context)).hasMinutes(12));
    }

    private static Duration timeLimit(BeanFactory context) {
        start(context, "b-1");
        SagaState saga = saga(context, "b-1");
        return Duration.between(saga.start().at(), saga.deadline().at());
    }

    @Test
    void compensatesASagaThatTimesOutAndPublishesAnEvent() {
        runner.withUserConfiguration(DeclaredByBeanMethod.class, Listener.class)
                .withPropertyValues("saga.timeout.default-deadline=50ms")
                .run(context -> {
                    start(context, "b-1");

                    SagaTimedOutEvent timeout = context.getBean(Listener.class).next();

                    assertThat(timeout.sagaId()).isEqualTo("saga-b-1");
                    assertThat(timeout.sagaType()).isEqualTo("Booking");
                    assertThat(timeout.key()).isEqualTo("b-1");
                    assertThat(timeout.compensating()).isTrue();
                    assertThat(saga(context, "b-1").status())
                            .as("already committed when the event is published")
                            .isEqualTo(SagaStatus.COMPENSATED);
                    assertThat(booking(context, "b-1").cancelled()).isTrue();
                });
    }

    @Test
    void leavesATimedOutSagaToAnOperatorWithoutAutoCompensate() {
        runner.withUserConfiguration(DeclaredByBeanMethod.class, Listener.class)
                .withPropertyValues("saga.timeout.default-deadline=50ms", "saga.timeout.auto-compensate=false")
                .run(context -> {
                    start(context, "b-1");

                    SagaTimedOutEvent timeout = context.getBean(Listener.class).next();

                    assertThat(timeout.compensating()).isFalse();
                    assertThat(saga(context, "b-1").status()).isEqualTo(SagaStatus.TIMED_OUT);
                    assertThat(booking(context, "b-1").cancelled()).isFalse();
                });
    }

    @Test
    void listenersThatBlockOrThrowDelayNeitherCommandsNorTimeouts() {
        runner.withUserConfiguration(DeclaredByBeanMethod.class, Listener.class)
                .withPropertyValues("saga.timeout.default-deadline=50ms")
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    CountDownLatch released = new CountDownLatch(1);
                    listener.blocker = released;
                    start(context, "b-1");
                    assertThat(listener.called.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();

                    start(context, "b-2"); // would wait for the committer

                    await().atMost(TIMEOUT).until(() -> saga(context, "b-2").status() == SagaStatus.COMPENSATED);
                    assertThat(listener.received).isEmpty();
                    released.countDown(); // now the first call throws
                    assertThat(listener.next().sagaId()).isEqualTo("saga-b-2");
                });
    }

    private static void start(BeanFactory context, String key) {
        execute(context, key, new Booked());
    }

    private static void execute(BeanFactory context, String key, Object event) {
        context.getBean(EventSourcingController.class)
                .execute(
                        Command.once(Clock.systemUTC()).inSaga("Booking", "saga-" + key),
                        Booking.TYPE,
                        key,
                        booking -> List.of(event));
    }

    private static SagaState saga(BeanFactory context, String key) {
        return context.getBean(SagaStateStore.class)
                .find("saga-" + key)
                .map(StoredSaga::state)
                .orElseThrow();
    }

    private static Booking booking(BeanFactory context, String key) {
        return context.getBean(EventSourcingController.class).state(Booking.TYPE, key);
    }

    private static void declare(CompensationRegistry registry) {
        registry.saga("Booking")
                .streams("bookings")
                .register("Booked", "Cancelled", "shop")
                .completedBy("Confirmed", "shop")
                .cancelBy((saga, decision) -> cancel(saga.key(), decision));
    }

    private static void cancel(String key, DecisionContext decision) {
        if (!decision.state(Booking.TYPE, key).cancelled()) {
            decision.append(Booking.TYPE, key, new Cancelled());
        }
    }

    record Booking(boolean cancelled) {

        static final AggregateType<Booking> TYPE = AggregateType.of("bookings", Booking.class, new Booking(false))
                .on(Booked.class, (booking, event) -> booking)
                .on(Confirmed.class, (booking, event) -> booking)
                .on(Cancelled.class, (booking, event) -> new Booking(true))
                .build();
    }

    record Booked() {}

    record Confirmed() {}

    record Cancelled() {}

    @Configuration(proxyBeanMethods = false)
    static class Bookings {

        @Bean
        AggregateType<Booking> booking() {
            return Booking.TYPE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DeclaredByBeanMethod {

        @Bean
        CompensationRegistrar bookingSaga(CompensationRegistry registry) {
            declare(registry);
            return () -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DeclaredByRegistrar {

        @Bean
        CompensationRegistrar bookingSaga(CompensationRegistry registry) {
            return () -> declare(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listener {

        final LinkedBlockingQueue<SagaTimedOutEvent> received = new LinkedBlockingQueue<>();
        final CountDownLatch called = new CountDownLatch(1);
        volatile @Nullable CountDownLatch blocker;

        @EventListener
        void on(SagaTimedOutEvent timeout) throws InterruptedException {
            called.countDown();
            CountDownLatch first = blocker;
            if (first != null) {
                blocker = null;
                first.await();
                throw new IllegalStateException("this listener fails");
            }
            received.add(timeout);
        }

        SagaTimedOutEvent next() throws InterruptedException {
            SagaTimedOutEvent timeout = received.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(timeout).as("a timeout").isNotNull();
            return timeout;
        }
    }
}
