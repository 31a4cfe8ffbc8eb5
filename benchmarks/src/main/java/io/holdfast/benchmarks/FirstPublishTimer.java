package io.holdfast.benchmarks;

import io.holdfast.wire.Wire;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;

/** Records the time of the first publish, so that the start of the services is not part of the measurement. */
final class FirstPublishTimer {

    private final AtomicLong publishedAt = new AtomicLong();
    private final Wire wire;

    FirstPublishTimer(Wire real) {
        this.wire = (Wire) Proxy.newProxyInstance(
                Wire.class.getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("publish")) {
                        publishedAt.compareAndSet(0, System.nanoTime());
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Wire wire() {
        return wire;
    }

    long publishedAt() {
        return publishedAt.get();
    }
}
