package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventHandler;
import io.holdfast.handling.Projection;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.spring.properties.InvalidConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Discovers the {@link EventComponent} beans of an application and adds them to the service. Beans with
 * {@link EventHandler} methods are resolved lazily, because their dependencies may depend on the service itself.
 */
public final class EventComponents {

    /** Why a transaction that commits separately from the position is an error, and what to declare instead. */
    public static final String SEPARATE_TRANSACTION_REMEDY =
            "it commits separately from the position, so after a crash between the two commits, the event is"
                    + " handled again; declare @EventComponent(writesApplicationRows = true) to commit both in one"
                    + " transaction, or resettable = true if the handler is idempotent";

    private static final String JDK_PROXY_ERROR = "it has a JDK proxy, which does not expose its handlers;"
            + " set spring.aop.proxy-target-class=true, or @EnableAspectJAutoProxy(proxyTargetClass = true)";

    private static final boolean SPRING_TX_PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.TransactionExecutionListener", EventComponents.class.getClassLoader());

    private final ConfigurableListableBeanFactory beans;
    private final List<String> errors = new ArrayList<>();
    private final Map<String, Class<?>> handlerBeans = new LinkedHashMap<>();
    private final Map<String, DiscoveredProcessor> processors = new LinkedHashMap<>();

    private EventComponents(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * @param rowsIn the database for application rows; null if the service has none
     * @throws InvalidConfigurationException if components are invalid; it names all errors
     */
    static EventComponents discover(ConfigurableListableBeanFactory beans, @Nullable Object rowsIn) {
        EventComponents found = new EventComponents(beans);
        for (String name : beans.getBeanDefinitionNames()) {
            if (!ScopedProxyUtils.isScopedTarget(name)
                    && !beans.getMergedBeanDefinition(name).isAbstract()) {
                found.inspect(name, rowsIn);
            }
        }
        found.throwIfAnyError();
        return found;
    }

    /** Adds the processors of all components to the service. */
    void addTo(HoldfastServiceBuilder service) {
        processors.forEach((name, processor) -> service.processor(name, processor::addTo));
    }

    /** Returns the names of the components that write application rows. */
    public List<String> applicationRowWriters() {
        return processors.values().stream()
                .flatMap(processor -> processor.components().stream())
                .filter(component -> component.rowsIn().isPresent())
                .map(Component::name)
                .toList();
    }

    /**
     * Checks the beans themselves, which exist by now.
     *
     * @throws InvalidConfigurationException if the proxy of a bean cannot call its handlers
     */
    void checkProxies() {
        handlerBeans.forEach((name, type) -> {
            Object bean = beans.getBean(name);
            if (Proxy.isProxyClass(bean.getClass())) {
                errors.add("bean " + name + ": " + JDK_PROXY_ERROR);
            } else if (AopUtils.isAopProxy(bean)) {
                handlers(type).stream()
                        .filter(method ->
                                Modifier.isPrivate(method.getModifiers()) || Modifier.isFinal(method.getModifiers()))
                        .forEach(method -> errors.add("bean " + name + " is proxied, but its handler "
                                + describe(method) + " is "
                                + (Modifier.isPrivate(method.getModifiers()) ? "private" : "final")
                                + " and would run on the proxy instead of the bean; make it overridable"));
            }
        });
        throwIfAnyError();
    }

    private void inspect(String name, @Nullable Object rowsIn) {
        EventComponent annotation = beans.findAnnotationOnBean(name, EventComponent.class, false);
        Class<?> type = beans.getType(name, false);
        if (annotation == null) {
            checkUnannotated(name, type);
            return;
        }
        try {
            add(annotation, component(name, type == null ? Object.class : type, annotation, rowsIn), name);
        } catch (PermanentException e) {
            errors.add("bean " + name + ": " + e.getMessage());
        }
    }

    private void add(EventComponent annotation, Component component, String bean) {
        String processor = annotation.processor().isEmpty() ? annotation.name() : annotation.processor();
        processors.computeIfAbsent(processor, DiscoveredProcessor::new).add(component, bean, annotation.reads());
    }

    private Component component(String name, Class<?> type, EventComponent annotation, @Nullable Object rowsIn) {
        if (Component.class.isAssignableFrom(type)) {
            return ComponentAnnotation.requireConsistent(annotation, beans.getBean(name, Component.class));
        }
        Component.Builder builder;
        if (Projection.class.isAssignableFrom(type)) {
            builder = beans.getBean(name, Projection.class).component();
        } else if (Proxy.isProxyClass(type)) {
            throw new PermanentException(JDK_PROXY_ERROR);
        } else {
            Class<?> handlers = ClassUtils.getUserClass(type);
            builder = lazyHandlers(annotation.name(), name, handlers);
            handlerBeans.put(name, handlers);
            checkTransactions(name, annotation, handlers);
        }
        return ComponentAnnotation.apply(annotation, builder, rowsIn);
    }

    private <T> Component.Builder lazyHandlers(String component, String bean, Class<T> type) {
        LazyBean<T> handlers = new LazyBean<>(beans, bean, type);
        return Component.of(component, type, handlers::get);
    }

    private void checkTransactions(String bean, EventComponent annotation, Class<?> type) {
        if (!SPRING_TX_PRESENT) {
            return;
        }
        for (Method handler : handlers(type)) {
            String error = TransactionalHandlerCheck.findError(annotation, handler, type);
            if (error != null) {
                errors.add("bean " + bean + ": " + error);
            }
        }
    }

    /** Reports handlers that would never be called. */
    private void checkUnannotated(String name, @Nullable Class<?> type) {
        if (type == null || type.getName().startsWith("org.springframework.")) {
            return;
        }
        Class<?> user = ClassUtils.getUserClass(type);
        if (AnnotationUtils.isCandidateClass(user, EventHandler.class)
                && !handlers(user).isEmpty()) {
            errors.add("bean " + name + " of " + user.getName()
                    + " has @EventHandler methods, which are never called because it is not an @EventComponent;"
                    + " annotate it");
        }
    }

    private static Set<Method> handlers(Class<?> type) {
        return MethodIntrospector.selectMethods(
                type, (Method method) -> AnnotatedElementUtils.hasAnnotation(method, EventHandler.class));
    }

    private void throwIfAnyError() {
        if (!errors.isEmpty()) {
            throw new InvalidConfigurationException("invalid event components", errors);
        }
    }

    private static String describe(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
