package io.holdfast.deadletter;

import java.util.List;
import java.util.regex.Pattern;

/** Finds the place in the application at which an exception was thrown. */
final class ApplicationFrame {

    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "jdk.",
            "sun.",
            "com.sun.",
            "kotlin.",
            "reactor.",
            "org.springframework.",
            "org.hibernate.",
            "org.postgresql.",
            "org.h2.",
            "com.zaxxer.",
            "com.hazelcast.",
            "com.fasterxml.",
            "tools.jackson.",
            "io.github.resilience4j.",
            "io.holdfast.");

    /** The modules and class loaders before a class name, as in {@code java.base/java.util.List}. */
    private static final Pattern MODULE = Pattern.compile("^.*/");

    /** The parts of names that the compiler or a proxy numbers. */
    private static final Pattern GENERATED = Pattern.compile("\\$\\$[^.]*|(?<=lambda\\$\\w{1,200})\\$\\d+");

    private ApplicationFrame() {}

    /** Returns class and method; those of the first frame at all if no frame belongs to the application. */
    static String of(String stackTrace) {
        List<String> frames = stackTrace
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("at "))
                .map(ApplicationFrame::place)
                .toList();
        return frames.stream()
                .filter(place -> LIBRARIES.stream().noneMatch(place::startsWith))
                .findFirst()
                .orElse(frames.isEmpty() ? "" : frames.get(0));
    }

    private static String place(String line) {
        int end = line.indexOf('(');
        String qualified = line.substring("at ".length(), end < 0 ? line.length() : end);
        return GENERATED.matcher(MODULE.matcher(qualified).replaceFirst("")).replaceAll("");
    }
}
