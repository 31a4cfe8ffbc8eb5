package io.holdfast.benchmarks;

import io.holdfast.saga.CompensationRegistrar;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;

/**
 * Removes the declarations of sagas from a service, so that it tracks none. The rest of the service is unchanged. Spring
 * creates it by its name, which is a value of {@code spring.main.sources}.
 */
final class WithoutSagas implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(CompensationRegistrar.class, true, false)) {
            ((BeanDefinitionRegistry) beans).removeBeanDefinition(name);
        }
    }
}
