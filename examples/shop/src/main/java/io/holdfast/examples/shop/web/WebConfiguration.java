package io.holdfast.examples.shop.web;

import java.time.Clock;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** The web configuration that all services of the shop share. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /**
     * Disables coercion: a value of the wrong JSON type is rejected. No string becomes a number, no fraction is
     * truncated.
     */
    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return mapper -> mapper.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .withCoercionConfig(LogicalType.Textual, texts -> {
                    texts.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                });
    }

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> problemReports() {
        return server -> server.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ProblemReportValve()));
    }
}
