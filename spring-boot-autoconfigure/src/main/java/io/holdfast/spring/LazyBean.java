package io.holdfast.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** A bean that is asked for when it is needed, and then kept if it is the only one of its name. For any number of threads. */
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
