package io.holdfast.saga.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CallThreadsTests {

    @Test
    void makesACallOnTheThreadOfTheCallerIfAllOthersAreBusy() {
        CountDownLatch responding = new CountDownLatch(1);
        try (CallThreads threads = new CallThreads("test", 1)) {
            CompletableFuture<Boolean> slow = threads.supply(() -> {
                responding.await();
                return true;
            });

            CompletableFuture<Thread> here = threads.supply(Thread::currentThread);

            assertThat(here).isCompletedWithValue(Thread.currentThread());
            responding.countDown();
            assertThat(slow).succeedsWithin(Duration.ofSeconds(20));
        }
    }
}
