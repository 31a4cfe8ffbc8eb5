package io.holdfast.chaos;

import io.holdfast.RetryableException;
import io.holdfast.service.HoldfastService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A service that copies each number once, in the order of its key, and reports how many it has copied. */
final class CopyingProcess {

    private CopyingProcess() {}

    public static void main(String... arguments) {
        ServiceProcess process = ServiceProcess.of(arguments);
        HoldfastService service = HoldfastService.named("copying", process.store("copying"), process.wire())
                .owns("copies")
                .processor("copier", processor -> processor.reads("numbers").calls(Numbers.copying()))
                .start();
        StallDetector stallDetector =
                new StallDetector(() -> service.processor("copier").status());
        Executors.newSingleThreadScheduledExecutor()
                .scheduleWithFixedDelay(() -> report(service, stallDetector), 0, 20, TimeUnit.MILLISECONDS);
        ProcessProtocol.listen(number -> {});
    }

    private static void report(HoldfastService service, StallDetector stallDetector) {
        try {
            long position = service.eventLog().position();
            ProcessProtocol.report(position);
            stallDetector.check(position);
        } catch (RetryableException e) {
            System.err.println("the position cannot be read, retrying: " + e);
        }
    }
}
