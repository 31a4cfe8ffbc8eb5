package io.holdfast.spring;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.hazelcast.HazelcastWire;
import io.holdfast.hazelcast.HazelcastWireBuilder;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.spring.properties.HoldfastPropertiesAutoConfiguration;
import io.holdfast.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the wire: a client of {@code framework.hazelcast.members}, else the HazelcastInstance bean,
 * else an embedded member. Without Hazelcast on the class path, events reach this process only.
 */
@AutoConfiguration(
        after = HoldfastPropertiesAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.hazelcast.autoconfigure.HazelcastAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
public class HoldfastWireAutoConfiguration {

    /** Connects processes. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HazelcastWire.class)
    @ConditionalOnMissingBean(Wire.class)
    static class OnHazelcast {

        @Bean
        HazelcastWire holdfastWire(
                HoldfastProperties properties,
                ObjectProvider<HazelcastInstance> instances,
                ObjectProvider<MeterRegistry> metrics) {
            HazelcastWireBuilder builder = builder(properties.hazelcast(), instances)
                    .mirrorToTopics(properties.wire().topics())
                    .signing(properties.wire().recordSigning());
            metrics.ifUnique(builder::metrics);
            return builder.open();
        }

        private static HazelcastWireBuilder builder(
                HoldfastProperties.Hazelcast cluster, ObjectProvider<HazelcastInstance> instances) {
            if (!cluster.members().isEmpty()) {
                return HazelcastWire.client(
                        cluster.clusterName(), cluster.members().toArray(String[]::new));
            }
            HazelcastInstance instance = UniqueBean.of(HazelcastInstance.class, instances);
            return instance == null ? HazelcastWire.embedded(cluster.clusterName()) : HazelcastWire.over(instance);
        }
    }

    /** Reaches this process only. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("io.holdfast.hazelcast.HazelcastWire")
    @ConditionalOnMissingBean(Wire.class)
    static class InMemory {

        @Bean
        InMemoryWire holdfastWire() {
            return new InMemoryWire();
        }
    }
}
