package io.holdfast.chaos;

import io.holdfast.RetryableException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A service that counts each key up to the number that the test sends, and reports the total count. */
final class CountingProcess {

    private static final int CALLERS = 4;

    private final HoldfastService service;
    private final AtomicLong counted = new AtomicLong();

    private CountingProcess(HoldfastService service) {
        this.service = service;
    }

    public static void main(String... arguments) {
        ServiceProcess process = ServiceProcess.of(arguments);
        HoldfastService service = HoldfastService.named("counting", process.store("counting"), process.wire())
                .owns("numbers")
                .start();
        CountingProcess counting = new CountingProcess(service);
        ProcessProtocol.report(0);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        ProcessProtocol.listen(
                target -> Numbers.keys().forEach(key -> callers.execute(() -> counting.countTo(key, target))));
    }

    private void countTo(String key, long target) {
        boolean more = true;
        while (more) {
            try {
                more = service.commands()
                                .execute(
                                        Command.once(Clock.systemUTC()),
                                        Numbers.COUNTED,
                                        key,
                                        count -> count.number() >= target
                                                ? List.of()
                                                : List.of(new Numbers.Counted(count.number() + 1)))
                                .events()
                                .size()
                        > 0;
                if (more && counted.incrementAndGet() % 50 == 0) {
                    ProcessProtocol.report(counted.get());
                }
            } catch (RetryableException e) {
                more = true; // outcome unknown: the next decision reads whether it took effect
            }
        }
    }
}
