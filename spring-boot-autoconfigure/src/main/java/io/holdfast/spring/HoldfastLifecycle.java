package io.holdfast.spring;

import io.holdfast.service.HoldfastService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the service before the web server accepts requests, and closes it after the last response.
 *
 * <p>A stopped service cannot be restarted, so it is not pauseable either.
 */
final class HoldfastLifecycle implements SmartLifecycle {

    /**
     * Below the phases in which the web server starts and shuts down gracefully: these are up to 2048 below the
     * default.
     */
    static final int PHASE = DEFAULT_PHASE - 4096;

    private static final Logger log = LoggerFactory.getLogger(HoldfastLifecycle.class);

    private final HoldfastService service;
    private final EventComponents components;
    private final String durability;
    private volatile boolean running;

    /** @param durability describes the store and the wire, and what they survive */
    HoldfastLifecycle(HoldfastService service, EventComponents components, String durability) {
        this.service = service;
        this.components = components;
        this.durability = durability;
    }

    @Override
    public void start() {
        components.checkProxies();
        service.start();
        running = true;
        log.info("Service {} started. {}", service.name(), durability);
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
