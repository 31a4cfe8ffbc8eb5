package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventHandler;
import io.holdfast.handling.Projection;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.properties.InvalidConfigurationException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

/** Discovery of the beans that handle events, and errors that fail the startup. */
class DiscoveryTests {

    private final ApplicationContextRunner runner = Runners.inMemory();

    @Test
    void componentsOfOneProcessorShareItAndReadAllItsStreams() {
        runner.withUserConfiguration(Shared.class).run(context -> {
            HoldfastService service = context.getBean(HoldfastService.class);

            assertThat(service.processors()).containsOnlyKeys("shared");
            assertThat(service.deadLetterQueue("shared", "first").name()).isEqualTo("DeadLetterQueue[shared][first]");
            assertThat(service.deadLetterQueue("shared", "second").name()).isEqualTo("DeadLetterQueue[shared][second]");
        });
    }

    @Test
    void declaresRetiredEventTypesAndComponents() {
        runner.withUserConfiguration(Receipts.class)
                .withPropertyValues("framework.processors.tills.retires=printer")
                .run(context -> assertThat(context.getBean(HoldfastService.class)
                                .processor("tills")
                                .components())
                        .extracting(Component::name, Component::retiredTypes)
                        .containsExactly(tuple("receipts", Set.of("PaymentSplit")), tuple("printer", Set.of())));
    }

    @Test
    void limitsComponentsToSagaTypes() {
        runner.withUserConfiguration(Limited.class).run(context -> assertThat(context.getBean(HoldfastService.class)
                        .processor("invoices")
                        .components())
                .extracting(Component::sagaTypes, Component::retiredSagaTypes)
                .containsExactly(tuple(Set.of("OrderFulfillment"), Set.of("*"))));
    }

    @Test
    void reportsAllErrorsAtOnce() {
        runner.withUserConfiguration(InvalidComponents.class).run(context -> assertThat(failure(context))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        """
                        invalid event components:
                          bean %1$s$Empty: component empty cannot be created from %1$s$Empty:
                          no method is annotated; add @EventHandler to the methods that handle events
                          bean %1$s$Unannotated of %1$s$Unannotated has @EventHandler methods, which are never called\
                         because it is not an @EventComponent; annotate it
                          bean %1$s$DuplicateName: its component has the same name, first, as that of bean %1$s$First in\
                         processor shared; rename one of them
                          bean %1$s$RowWriter: it writes application rows, but the service has no database; set\
                         framework.store=jdbc
                          bean %1$s$LimitedTwice: component limited retires saga type Return and is limited to it; remove\
                         one of the two
                          bean built: its @EventComponent and the component that it returns differ in breaker, resettable,\
                         callsOutside, writesApplicationRows, sagaTypes, retiresSagaTypes, retires or formerly; declare the same in both
                          bean unlimited: its @EventComponent and the component that it returns differ in breaker, resettable,\
                         callsOutside, writesApplicationRows, sagaTypes, retiresSagaTypes, retires or formerly; declare the same in both
                          bean misnamed: its @EventComponent is named one, but the component that it returns is named other;\
                         give both the same name"""
                                .formatted(DiscoveryTests.class.getName())));
    }

    @Test
    void rejectsPrivateHandlersOfAProxiedBean() {
        runner.withUserConfiguration(Proxied.class).run(context -> assertThat(failure(context))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("invalid event components:\n  bean " + PrivateHandlers.class.getName()
                        + " is proxied, but its handler PrivateHandlers.on is private and would run on the proxy"
                        + " instead of the bean; make it overridable"));
    }

    @Test
    void rejectsABeanWithAJdkProxy() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withUserConfiguration(ByInterface.class)
                .run(context -> assertThat(failure(context))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("it has a JDK proxy, which does not expose its handlers"));
    }

    @Test
    void rejectsApplicationRowsThroughJpaIfLettersAreNotJpaEntities(@TempDir Path directory) {
        Runners.inFile(directory)
                .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                .withUserConfiguration(RowWriter.class)
                .run(context -> assertThat(failure(context))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessage(
                                "components [keeper] write application rows, and the transaction manager is JPA's; rows"
                                        + " and position commit in one transaction only if letters are JPA entities too:"
                                        + " set framework.dlq.store=jpa"));
    }

    @Test
    void requiresAName() {
        runner.withPropertyValues("spring.application.name=").run(context -> assertThat(failure(context))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("spring.application.name is not set; events carry it as their source, and changing it later"
                        + " creates a different service, so choose a permanent name"));
    }

    @Test
    void rejectsAProcessorThatIsConfiguredByCodeAndByAnnotation() {
        runner.withUserConfiguration(Shared.class)
                .withBean(
                        HoldfastServiceCustomizer.class, () -> service -> service.processor("shared", processor -> {}))
                .run(context -> assertThat(failure(context))
                        .isInstanceOf(PermanentException.class)
                        .hasMessage("service shop has two processors named shared"));
    }

    private static Throwable failure(AssertableApplicationContext context) {
        Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "the application has started");
        while (failure.getCause() != null && !(failure instanceof PermanentException)) {
            failure = failure.getCause();
        }
        return failure;
    }

    @Configuration(proxyBeanMethods = false)
    @Import({First.class, Second.class})
    static class Shared {

        @Bean
        AggregateType<Till> till() {
            return Till.TYPE;
        }
    }

    @EventComponent(name = "receipts", processor = "tills", reads = "tills", retires = "PaymentSplit")
    static class Receipts {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "invoices", reads = "tills", sagaTypes = "OrderFulfillment", retiresSagaTypes = "*")
    static class Limited {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "limited", reads = "tills", sagaTypes = "Return", retiresSagaTypes = "Return")
    static class LimitedTwice {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "first", processor = "shared", reads = "tills")
    static class First {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(
            name = "second",
            processor = "shared",
            reads = {"tills", "others"})
    static class Second {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({First.class, Empty.class, Unannotated.class, DuplicateName.class, RowWriter.class, LimitedTwice.class})
    static class InvalidComponents {

        @Bean
        @EventComponent(name = "built", reads = "tills", breaker = "b")
        Component built() {
            return Component.named("built")
                    .on(Till.Paid.class, (paid, context) -> {})
                    .build();
        }

        @Bean
        @EventComponent(name = "consistent", reads = "tills", sagaTypes = "A", retiresSagaTypes = "B")
        Component consistent() {
            return Component.named("consistent")
                    .on(Till.Paid.class, (paid, context) -> {})
                    .sagaTypes("A")
                    .retiresSagaTypes("B")
                    .build();
        }

        @Bean
        @EventComponent(name = "unlimited", reads = "tills", sagaTypes = "A")
        Component unlimited() {
            return Component.named("unlimited")
                    .on(Till.Paid.class, (paid, context) -> {})
                    .build();
        }

        @Bean
        @EventComponent(name = "one", reads = "tills")
        Projection<Till.Receipts> misnamed() {
            return Projection.of("other", Till.RECEIPTS).on(Till.Paid.class, (row, paid) -> row);
        }
    }

    @EventComponent(name = "empty", reads = "tills")
    static class Empty {}

    static class Unannotated {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "first", processor = "shared", reads = "tills")
    static class DuplicateName {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @EventComponent(name = "keeper", reads = "tills", writesApplicationRows = true)
    static class RowWriter {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({First.class, PrivateHandlers.class})
    static class Proxied {}

    @EventComponent(name = "private", reads = "tills", resettable = true)
    @Transactional
    static class PrivateHandlers {

        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called through reflection
        @EventHandler
        private void on(Till.Paid paid) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Handler.class)
    static class ByInterface {}

    interface Handling {

        void handle(Till.Paid paid);
    }

    @EventComponent(name = "handler", reads = "tills", resettable = true)
    @Transactional
    static class Handler implements Handling {

        @Override
        @EventHandler
        public void handle(Till.Paid paid) {}
    }
}
