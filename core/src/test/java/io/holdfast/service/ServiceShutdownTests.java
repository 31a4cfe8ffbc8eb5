package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shutdown terminates even if a part fails or hangs. */
@Timeout(30)
class ServiceShutdownTests {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<String> closed = new CopyOnWriteArrayList<>();

    @Test
    void continuesInOrderWhenPartFails() {
        ServiceShutdown.run("shop", List.of(part("one"), ServiceShutdownTests::fail, part("two")), LONG);

        assertThat(closed).containsExactly("one", "two");
    }

    @Test
    void abandonsHangingPart() {
        CountDownLatch never = new CountDownLatch(1);

        ServiceShutdown.run("shop", List.of(part("one"), never::await, part("two")), Duration.ofMillis(50));

        await().untilAsserted(() -> assertThat(closed).containsExactly("one")); // its thread may start late
        never.countDown();
    }

    @Test
    void completesDespiteInterruptAndRestoresItForCaller() {
        CountDownLatch callerInterrupted = new CountDownLatch(1);
        Thread caller = Thread.currentThread();

        ServiceShutdown.run(
                "shop",
                List.of(
                        () -> {
                            caller.interrupt();
                            callerInterrupted.countDown();
                        },
                        callerInterrupted::await,
                        part("one")),
                LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(closed).containsExactly("one");
    }

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }

    private static void fail() {
        throw new IllegalStateException("cannot be closed");
    }
}
