package io.holdfast.examples.shop.web;

import io.holdfast.processing.EventProcessor;
import io.holdfast.service.HoldfastService;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the demo needs to stop the handlers of a service. Like fault injection, it is not for production. */
@RestController
@RequestMapping("/api/demo")
@ConditionalOnBooleanProperty("framework.fault-injection.enabled")
class DemoController {

    private final HoldfastService service;

    DemoController(HoldfastService service) {
        this.service = service;
    }

    /** Two services with the same pid share a process. */
    @GetMapping
    ProcessState state() {
        boolean isPaused = service.processors().values().stream()
                .allMatch(processor -> processor.status().paused());
        return new ProcessState(service.name(), ProcessHandle.current().pid(), isPaused);
    }

    /** Stops all handlers until they are resumed. Running handlers finish; requests are still accepted. */
    @PostMapping("/handlers/pause")
    void pause() {
        service.processors().values().forEach(EventProcessor::pause);
    }

    @PostMapping("/handlers/resume")
    void resume() {
        service.processors().values().forEach(EventProcessor::resume);
    }

    record ProcessState(String service, long pid, boolean paused) {}
}
