package io.holdfast.spring;

import io.holdfast.service.HoldfastService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the service before the web server accepts requests, and closes it after the last of them was answered.
 *
 * <p>A service that was stopped does not start again, so it is not paused with the context either.
 */
final class HoldfastLifecycle implements SmartLifecycle {

    /** The web server starts, and gracefully ends, in higher phases: up to 2048 below the default. */
    static final int PHASE = DEFAULT_PHASE - 4096;

    private static final Logger log = LoggerFactory.getLogger(HoldfastLifecycle.class);

    private final HoldfastService service;
    private final EventComponents components;
    private final String durability;
    private volatile boolean running;

    /** @param survival what is kept where, and what survives what */
    HoldfastLifecycle(HoldfastService service, EventComponents components, String survival) {
        this.service = service;
        this.components = components;
        this.durability = survival;
    }

    @Override
    public void start() {
        components.checkProxies();
        service.start();
        running = true;
        log.info("Service {} has started: {}", service.name(), durability);
    }

    @Override
    public void stop() {
        service.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
