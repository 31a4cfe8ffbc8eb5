package io.holdfast.admin.web;

import io.holdfast.admin.HoldfastAdminAutoConfiguration;
import io.holdfast.admin.deadletter.DeadLetters;
import io.holdfast.admin.fault.FaultOperations;
import io.holdfast.admin.receipt.Receipts;
import io.holdfast.admin.saga.SagaOperations;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
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
@Import(SystemWebConfiguration.class)
@ConditionalOnBean(DeadLetters.class)
public class HoldfastAdminWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Operators holdfastOperators(HoldfastService service) {
        return new Operators(service);
    }

    @Bean
    @ConditionalOnMissingBean
    ActionRequests holdfastActionRequests(Operators operators, ObjectProvider<Clock> clock) {
        return new ActionRequests(operators, clock.getIfUnique(Clock::systemUTC));
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterController holdfastDeadLetterController(DeadLetters letters, ActionRequests requests) {
        return new DeadLetterController(letters, requests);
    }

    @Bean
    @ConditionalOnMissingBean
    ReceiptController holdfastReceiptController(Receipts receipts, ActionRequests requests) {
        return new ReceiptController(receipts, requests);
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
