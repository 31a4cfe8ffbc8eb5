package io.holdfast.chaos;

import io.holdfast.service.HoldfastService;
import io.holdfast.worker.Worker;
import java.time.Duration;

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
        Worker.start("progress", () -> {
            long position = service.eventLog().position();
            ProcessProtocol.report(position);
            stallDetector.check(position);
            return Duration.ofMillis(20);
        });
        ProcessProtocol.listen(number -> {});
    }
}
