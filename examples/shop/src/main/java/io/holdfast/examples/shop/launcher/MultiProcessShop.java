package io.holdfast.examples.shop.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process for each service, and a stock Hazelcast member between them that knows nothing of Holdfast. What dies is started
 * again, as whatever runs services elsewhere would do.
 */
public final class MultiProcessShop implements Shop {

    /** With few processors, those of four services would compile for minutes what they take from each other. */
    private static final int COMPILER_TIER = Runtime.getRuntime().availableProcessors() < 4 ? 1 : 4;

    private static final String MEMBER_NAME = "hazelcast";
    private static final int POLL_INTERVAL_MILLIS = 500;
    private static final int SHUTDOWN_GRACE_SECONDS = 15;

    /** What Hazelcast asks for on newer JDKs. */
    private static final List<String> JVM_MODULE_OPTIONS = List.of(
            "--add-modules=java.se",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.management/sun.management=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

    /** The shared member first. */
    private final List<ServiceProcess> processes;

    private final Consumer<String> output;
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "shop-processes");
        thread.setDaemon(true);
        return thread;
    });

    private MultiProcessShop(List<ServiceProcess> processes, Consumer<String> say) {
        this.processes = processes;
        this.output = say;
    }

    /**
     * @param data the directory of the databases; logs are in {@code logs} below it
     * @param properties said to every service beside its own
     * @param say told what happens to the processes
     * @throws ShopStartException if ports are taken
     */
    public static MultiProcessShop start(Path data, Map<String, String> properties, Consumer<String> say) {
        Map<Integer, String> ports = new LinkedHashMap<>();
        ports.put(Shop.memberPort(), "the shared Hazelcast member");
        Arrays.stream(ShopService.values()).forEach(service -> ports.put(service.port(), service.serviceName()));
        Ports.requireFree(ports);
        Path logs = createDirectory(data.resolve("logs"));
        List<ServiceProcess> processes = new ArrayList<>();
        processes.add(memberProcess(logs));
        for (ShopService service : ShopService.values()) {
            processes.add(serviceProcess(service, data, properties, logs));
        }
        MultiProcessShop shop = new MultiProcessShop(processes, say);
        Runtime.getRuntime().addShutdownHook(new Thread(shop::close)); // whatever ends this process ends the others
        shop.start();
        return shop;
    }

    private synchronized void start() {
        for (ServiceProcess process : processes) {
            process.start();
            output.accept(process.name() + ": process " + process.pid());
        }
        var unused = watchdog.scheduleWithFixedDelay(
                this::restartDeadProcesses, POLL_INTERVAL_MILLIS, POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void restartDeadProcesses() {
        for (ServiceProcess process : processes) {
            if (!process.isAlive()) {
                restart(process);
            }
        }
    }

    /** One that cannot be started now is tried again at the next look, and does not keep the others from it. */
    private void restart(ServiceProcess process) {
        int code = process.exitCode();
        try {
            process.start();
            output.accept(process.name() + " has died (" + code + "); started again as process " + process.pid());
        } catch (ShopStartException e) {
            output.accept(e.getMessage());
        }
    }

    /** A member as anybody would run it: Hazelcast's jar alone, and a file that says where it listens. */
    private static ServiceProcess memberProcess(Path logs) {
        Path config = logs.resolve("hazelcast.xml");
        write(
                config,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <hazelcast xmlns="http://www.hazelcast.com/schema/config">
                  <cluster-name>%s</cluster-name>
                  <properties>
                    <property name="hazelcast.phone.home.enabled">false</property>
                    <property name="hazelcast.socket.bind.any">false</property>
                  </properties>
                  <network>
                    <port auto-increment="false">%d</port>
                    <join>
                      <auto-detection enabled="false"/>
                      <multicast enabled="false"/>
                      <tcp-ip enabled="true"><member>127.0.0.1</member></tcp-ip>
                    </join>
                    <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
                  </network>
                  <jet enabled="false"/>
                </hazelcast>
                """
                        .formatted(CLUSTER, Shop.memberPort()));
        List<String> options = new ArrayList<>(JVM_MODULE_OPTIONS);
        options.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dhazelcast.config=" + config));
        String jar = jarOf(com.hazelcast.core.Hazelcast.class);
        return new ServiceProcess(
                MEMBER_NAME,
                ServiceProcess.javaCommand(options, jar, "com.hazelcast.core.server.HazelcastMemberStarter", List.of()),
                logs.resolve(MEMBER_NAME + ".log"));
    }

    private static ServiceProcess serviceProcess(
            ShopService service, Path data, Map<String, String> properties, Path logs) {
        List<String> options = new ArrayList<>(JVM_MODULE_OPTIONS);
        options.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=" + COMPILER_TIER));
        List<String> arguments = new ArrayList<>();
        arguments.add("--shop.data=" + data);
        arguments.add("--server.port=" + service.port());
        arguments.add("--framework.hazelcast.members=127.0.0.1:" + Shop.memberPort());
        arguments.add("--framework.hazelcast.cluster-name=" + CLUSTER);
        properties.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        return new ServiceProcess(
                service.serviceName(),
                ServiceProcess.javaCommand(
                        options,
                        System.getProperty("java.class.path"),
                        service.mainClass().getName(),
                        arguments),
                logs.resolve(service.serviceName() + ".log"));
    }

    private static String jarOf(Class<?> type) {
        return Path.of(java.net.URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    private static Path createDirectory(Path path) {
        try {
            return Files.createDirectories(path).toAbsolutePath();
        } catch (IOException e) {
            throw new ShopStartException("cannot write to " + path + ": " + e.getMessage(), e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The processes by name, the shared member's too; they change when one is started again. */
    public Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        processes.forEach(process -> pids.put(process.name(), process.pid()));
        return pids;
    }

    /** Ends the services first, while the member is there to take what they publish. */
    @Override
    public synchronized void close() {
        watchdog.shutdownNow();
        try {
            if (!watchdog.awaitTermination(SHUTDOWN_GRACE_SECONDS, TimeUnit.SECONDS)) {
                output.accept("a process is still being started");
            }
            List<ServiceProcess> services = processes.subList(1, processes.size());
            services.forEach(ServiceProcess::requestShutdown); // together, or their times add up
            for (ServiceProcess service : services) {
                service.stop(SHUTDOWN_GRACE_SECONDS);
            }
            processes.get(0).stop(SHUTDOWN_GRACE_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
