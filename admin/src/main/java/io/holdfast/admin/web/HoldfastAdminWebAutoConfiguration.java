package io.holdfast.admin.web;

import io.holdfast.admin.HoldfastAdminAutoConfiguration;
import io.holdfast.admin.deadletter.DeadLetterOperations;
import io.holdfast.admin.fault.FaultOperations;
import io.holdfast.admin.saga.SagaOperations;
import io.holdfast.service.HoldfastService;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.DispatcherServlet;

/** Auto-configuration of the REST API for operators, in servlet applications with a service. */
@AutoConfiguration(after = HoldfastAdminAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean(DeadLetterOperations.class)
@Import(SystemWebConfiguration.class)
public class HoldfastAdminWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Operators holdfastOperators(HoldfastService service) {
        return new Operators(service);
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterController holdfastDeadLetterController(DeadLetterOperations operations) {
        return new DeadLetterController(operations);
    }

    @Bean
    @ConditionalOnMissingBean
    FaultController holdfastFaultController(Optional<FaultOperations> operations) {
        return new FaultController(operations);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaController holdfastSagaController(SagaOperations operations) {
        return new SagaController(operations);
    }

    @Bean
    @ConditionalOnMissingBean
    AdminProblemAdvice holdfastAdminProblemAdvice() {
        return new AdminProblemAdvice();
    }

    @Bean
    @ConditionalOnMissingBean
    RetryableProblemAdvice holdfastRetryableProblemAdvice() {
        return new RetryableProblemAdvice();
    }
}
