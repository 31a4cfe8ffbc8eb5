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
 * Runs each service in its own process, with a shared stock Hazelcast member that has no Holdfast code. A process that
 * exits is restarted, as an orchestrator would do in production, unless it is one of the {@link StoppedServices}.
 */
public final class MultiProcessShop implements Shop {

    /** On fewer than four processors, the C2 compilers of four JVMs would compete with the services for minutes. */
    private static final int COMPILER_TIER = Runtime.getRuntime().availableProcessors() < 4 ? 1 : 4;

    private static final String MEMBER_NAME = "hazelcast";
    private static final int POLL_INTERVAL_MILLIS = 500;
    private static final int SHUTDOWN_GRACE_SECONDS = 15;

    /** The module options that Hazelcast requires on newer JDKs. */
    private static final List<String> JVM_MODULE_OPTIONS = List.of(
            "--add-modules=java.se",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.management/sun.management=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

    /** The shared member comes first. */
    private final List<ServiceProcess> processes;

    private final StoppedServices stopped;
    private final Consumer<String> output;
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "shop-processes");
        thread.setDaemon(true);
        return thread;
    });

    private MultiProcessShop(List<ServiceProcess> processes, StoppedServices stopped, Consumer<String> output) {
        this.processes = processes;
        this.stopped = stopped;
        this.output = output;
    }

    /**
     * @param data the directory of the databases; its subdirectory {@code logs} has the logs
     * @param properties the additional properties of every service
     * @param output receives a line for each process that starts or exits
     * @throws ShopStartException if a port is in use
     */
    public static MultiProcessShop start(Path data, Map<String, String> properties, Consumer<String> output) {
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
        StoppedServices stopped = new StoppedServices(data);
        stopped.clear(); // an earlier shop may have been killed in a scenario
        MultiProcessShop shop = new MultiProcessShop(processes, stopped, output);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(shop::close)); // stops the other processes however this one exits
        shop.start();
        return shop;
    }

    private synchronized void start() {
        for (ServiceProcess process : processes) {
            process.start();
            output.accept(process.name() + " started (pid " + process.pid() + ")");
        }
        var unused = watchdog.scheduleWithFixedDelay(
                this::adjustProcesses, POLL_INTERVAL_MILLIS, POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void adjustProcesses() {
        for (ServiceProcess process : processes) {
            if (stopped.contains(process.name())) {
                stop(process);
            } else if (!process.isAlive()) {
                restart(process);
            }
        }
    }

    private void stop(ServiceProcess process) {
        if (process.isAlive()) {
            process.kill();
            output.accept(process.name() + " is stopped");
        }
    }

    /** A failed restart is retried at the next poll and does not prevent the restart of other processes. */
    private void restart(ServiceProcess process) {
        int code = process.exitCode();
        try {
            process.start();
            output.accept(process.name() + " exited with code " + code + ", restarted (pid " + process.pid() + ")");
        } catch (ShopStartException e) {
            output.accept(e.getMessage() + "; retrying in " + POLL_INTERVAL_MILLIS + " ms");
        }
    }

    /** A stock member: Hazelcast's jar alone, with a configuration file. */
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
            throw new ShopStartException("cannot create directory " + path + ": " + e.getMessage(), e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the process ids by name, including the shared member's. A restart changes an id. */
    public Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        processes.forEach(process -> pids.put(process.name(), process.pid()));
        return pids;
    }

    /** Stops the services first, so that they can still publish to the member. */
    @Override
    public synchronized void close() {
        watchdog.shutdownNow();
        try {
            if (!watchdog.awaitTermination(SHUTDOWN_GRACE_SECONDS, TimeUnit.SECONDS)) {
                output.accept("stopping the shop while a process is still starting");
            }
            List<ServiceProcess> services = processes.subList(1, processes.size());
            services.forEach(ServiceProcess::requestShutdown); // in parallel, or their shutdown times add up
            for (ServiceProcess service : services) {
                service.stop(SHUTDOWN_GRACE_SECONDS);
            }
            processes.get(0).stop(SHUTDOWN_GRACE_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
