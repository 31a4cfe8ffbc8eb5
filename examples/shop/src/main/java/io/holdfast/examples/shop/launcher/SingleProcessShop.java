package io.holdfast.examples.shop.launcher;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.hazelcast.HazelcastWire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs all services in this process. Each has its own application context and database; they share one Hazelcast
 * member.
 */
public final class SingleProcessShop implements Shop {

    /** Two contexts start faster in parallel than one after another; four do not. */
    private static final int PARALLEL_STARTS = 2;

    private final HazelcastWire member;
    private final List<ConfigurableApplicationContext> services = Collections.synchronizedList(new ArrayList<>());

    private SingleProcessShop(HazelcastWire member) {
        this.member = member;
    }

    /**
     * @param data the directory of the databases
     * @param properties the additional properties of every service
     * @throws ShopStartException if a port is in use or a service fails to start
     */
    public static SingleProcessShop start(Path data, Map<String, String> properties) {
        Map<Integer, String> ports = new LinkedHashMap<>();
        Arrays.stream(ShopService.values()).forEach(service -> ports.put(service.port(), service.serviceName()));
        Ports.requireFree(ports);
        SingleProcessShop shop = new SingleProcessShop(
                HazelcastWire.embedded(CLUSTER).port(Shop.memberPort()).open());
        try {
            shop.startAll(data, properties);
            return shop;
        } catch (RuntimeException e) {
            shop.close();
            throw e;
        }
    }

    private void startAll(Path data, Map<String, String> properties) {
        ExecutorService threads = Executors.newFixedThreadPool(PARALLEL_STARTS);
        try {
            CompletableFuture<?>[] starts = Arrays.stream(ShopService.values())
                    .map(service -> CompletableFuture.runAsync(() -> start(service, data, properties), threads))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(starts).join(); // waits for all, so that every started service can be closed
        } catch (CompletionException e) {
            throw new ShopStartException(
                    "a service failed to start: " + rootCause(e).getMessage(), e);
        } finally {
            threads.shutdown();
        }
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private void start(ShopService service, Path data, Map<String, String> properties) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--shop.data=" + data);
        arguments.add("--server.port=" + service.port());
        properties.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        services.add(service.application()
                .registerShutdownHook(false) // close() stops the shop as a whole, in order
                .initializers(context -> context.getBeanFactory()
                        .registerSingleton(HazelcastInstance.class.getName(), member.instance()))
                .run(arguments.toArray(String[]::new)));
    }

    @Override
    public void close() {
        services.parallelStream().forEach(ConfigurableApplicationContext::close);
        services.clear();
        member.close();
    }
}
