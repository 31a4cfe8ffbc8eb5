package io.holdfast.examples.shop.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process of the shop. It can be restarted. Not thread-safe, except {@link #pid}. */
final class ServiceProcess {

    private final String name;
    private final List<String> command;
    private final Path log;
    private volatile @Nullable Process process;

    ServiceProcess(String name, List<String> command, Path log) {
        this.name = name;
        this.command = List.copyOf(command);
        this.log = log;
    }

    /** @param arguments the arguments of the main class */
    static List<String> javaCommand(List<String> options, String classPath, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        return command;
    }

    String name() {
        return name;
    }

    long pid() {
        Process running = process;
        return running == null ? -1 : running.pid();
    }

    void start() {
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
        } catch (IOException e) {
            throw new ShopStartException("cannot start the process of " + name + ": " + e.getMessage(), e);
        }
    }

    boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    int exitCode() {
        Process ended = process;
        return ended == null ? -1 : ended.exitValue();
    }

    void requestShutdown() {
        Process running = process;
        if (running != null) {
            running.destroy();
        }
    }

    /** Ends the process at once, as a crash would. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    void stop(long seconds) throws InterruptedException {
        requestShutdown();
        Process running = process;
        if (running != null) {
            if (!running.waitFor(seconds, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        }
    }
}
