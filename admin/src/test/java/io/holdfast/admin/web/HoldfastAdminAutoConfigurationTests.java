package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.holdfast.admin.HoldfastAdminAutoConfiguration;
import io.holdfast.admin.Warehouse;
import io.holdfast.admin.deadletter.DeadLetterQueueOperations;
import io.holdfast.admin.fault.FaultInjection;
import io.holdfast.admin.fault.FaultOperations;
import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.HoldfastAutoConfiguration;
import io.holdfast.spring.HoldfastWireAutoConfiguration;
import io.holdfast.spring.properties.HoldfastPropertiesAutoConfiguration;
import io.holdfast.spring.store.HoldfastStoreAutoConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

class HoldfastAdminAutoConfigurationTests {

    private static final AutoConfigurations SERVICE = AutoConfigurations.of(
            HoldfastPropertiesAutoConfiguration.class,
            HoldfastStoreAutoConfiguration.class,
            HoldfastWireAutoConfiguration.class,
            HoldfastAutoConfiguration.class);
    private static final AutoConfigurations ADMIN =
            AutoConfigurations.of(HoldfastAdminAutoConfiguration.class, HoldfastAdminWebAutoConfiguration.class);
    private static final String[] PROPERTIES = {"spring.application.name=shop", "framework.store=memory"};

    private final WebApplicationContextRunner web = new WebApplicationContextRunner()
            .withConfiguration(ADMIN)
            .withConfiguration(SERVICE)
            .withPropertyValues(PROPERTIES);

    @Test
    void configuresTheApiIfThereIsAService() {
        web.run(context -> {
            assertThat(context).hasSingleBean(DeadLetterController.class);
            assertThat(context).hasSingleBean(FaultController.class);
            assertThat(context).hasSingleBean(SagaController.class);
            assertThat(context).doesNotHaveBean(FaultInjection.class);
            assertThat(context).doesNotHaveBean(FaultOperations.class);
        });
    }

    @Test
    void explainsHowToEnableFaultInjection() {
        web.run(context -> {
            var response = MockMvcTester.of(
                            List.of(context.getBean(FaultController.class)),
                            builder -> builder.setControllerAdvice(context.getBean(AdminProblemAdvice.class))
                                    .build())
                    .post()
                    .uri("/api/admin/fault?enabled=true")
                    .exchange();

            assertThat(response).hasStatus(404);
            assertThat(response).hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
            assertThat(response).bodyText().contains("framework.fault-injection.enabled=true");
        });
    }

    @Test
    void failsToStartWithAnInvalidValue() {
        web.withPropertyValues("framework.fault-injection.enabled=perhaps")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("perhaps"));
    }

    @Test
    void configuresNothingWithoutAService() {
        new WebApplicationContextRunner().withConfiguration(ADMIN).run(context -> assertThat(context)
                .doesNotHaveBean(DeadLetterQueueOperations.class)
                .doesNotHaveBean(DeadLetterController.class)
                .doesNotHaveBean(RetryableProblemAdvice.class));
    }

    @Test
    void configuresOnlyOperationsWithoutAWebServer() {
        new ApplicationContextRunner()
                .withConfiguration(ADMIN)
                .withConfiguration(SERVICE)
                .withPropertyValues(PROPERTIES)
                .run(context -> assertThat(context)
                        .hasSingleBean(DeadLetterQueueOperations.class)
                        .doesNotHaveBean(DeadLetterController.class));
    }

    @Test
    void backsOffIfTheApplicationDefinesTheBeans() {
        web.withBean("own", DeadLetterQueueOperations.class, () -> mock(DeadLetterQueueOperations.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(DeadLetterQueueOperations.class)
                        .hasBean("own"));
    }

    private record Greeting(String name) {}

    private static final Endpoint<Greeting, Greeting> GREET = new Endpoint<>("greet", Greeting.class, Greeting.class);

    /** Registers an endpoint, unless the service was already started: then a replica without it was announced. */
    @Configuration(proxyBeanMethods = false)
    static class Greeter {

        @Bean
        EndpointRegistrar greeter(HoldfastService service) {
            return endpoints -> {
                if (!service.isRunning()) {
                    endpoints.serve(GREET, (operator, question) -> question);
                }
            };
        }
    }

    private static void assertThatGatewayAnswers(AssertableWebApplicationContext context) {
        Operator ana = new Operator("ana", Role.VIEWER, new Operator.Via("shop", "shop-1", null));
        assertThat(context.getBean(HoldfastService.class).isRunning()).isTrue();
        assertThat(context.getBean(ServiceGateway.class).ask("shop", GREET, ana, new Greeting("ben")))
                .succeedsWithin(Warehouse.AWAIT_TIMEOUT)
                .isEqualTo(new Greeting("ben"));
    }

    @Test
    void servesTheEndpointsOfAllRegistrarsBeforeTheServiceStarts() {
        web.withUserConfiguration(Greeter.class).run(HoldfastAdminAutoConfigurationTests::assertThatGatewayAnswers);
    }

    @Test
    void servesEndpointsIfBeansAreLazy() {
        web.withUserConfiguration(Greeter.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(HoldfastAdminAutoConfigurationTests::assertThatGatewayAnswers);
    }
}
