package io.holdfast.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Configures a {@link JavaProcess}. */
public final class JavaProcessBuilder {

    private static final List<String> SMALL_JVM = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final String mainClass;
    private final List<String> jvmOptions = new ArrayList<>(SMALL_JVM);
    private final List<String> arguments = new ArrayList<>();
    private String name;
    private String classPath = System.getProperty("java.class.path");
    private @Nullable Path directory;
    private Duration timeout = Duration.ofSeconds(60);
    private Consumer<String> lineListener = line -> {};

    JavaProcessBuilder(String mainClass) {
        this.mainClass = mainClass;
        this.name = mainClass.substring(mainClass.lastIndexOf('.') + 1);
    }

    /** Names the process in failure messages; by default after its main class. */
    public JavaProcessBuilder name(String newName) {
        name = newName;
        return this;
    }

    public JavaProcessBuilder arguments(List<String> more) {
        arguments.addAll(more);
        return this;
    }

    public JavaProcessBuilder arguments(String... more) {
        return arguments(List.of(more));
    }

    /** Adds JVM options. They override the defaults, which suit a small, short-lived process. */
    public JavaProcessBuilder jvmOptions(String... more) {
        jvmOptions.addAll(List.of(more));
        return this;
    }

    /** Replaces the class path; by default, it is that of this JVM. */
    public JavaProcessBuilder classPath(String newClassPath) {
        classPath = newClassPath;
        return this;
    }

    /** Sets the working directory; by default, it is that of this JVM. */
    public JavaProcessBuilder directory(Path newDirectory) {
        directory = newDirectory;
        return this;
    }

    /** Bounds every wait for the process; 60 seconds by default. */
    public JavaProcessBuilder timeout(Duration newTimeout) {
        timeout = newTimeout;
        return this;
    }

    /** Passes every line of the standard output to the listener, in order, on a thread of its own. */
    public JavaProcessBuilder onLine(Consumer<String> newListener) {
        lineListener = newListener;
        return this;
    }

    public JavaProcess start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(command);
        if (directory != null) {
            process.directory(directory.toFile());
        }
        try {
            return new JavaProcess(name, process, timeout, lineListener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
