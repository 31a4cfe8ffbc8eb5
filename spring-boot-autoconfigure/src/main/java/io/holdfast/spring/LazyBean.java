package io.holdfast.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** Resolves a bean at first use, and caches it if it is a singleton. Thread-safe. */
final class LazyBean<T> {

    private final BeanFactory beans;
    private final String name;
    private final Class<T> type;
    private volatile @Nullable T cached;

    LazyBean(BeanFactory beans, String name, Class<T> type) {
        this.beans = beans;
        this.name = name;
        this.type = type;
    }

    T get() {
        T bean = cached;
        if (bean == null) {
            bean = beans.getBean(name, type);
            if (beans.isSingleton(name)) {
                cached = bean;
            }
        }
        return bean;
    }
}
