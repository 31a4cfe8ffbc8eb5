package io.holdfast.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/** How a process under test talks with its test: a number on a line. */
final class ProcessProtocol {

    static final String PREFIX = "NUMBER ";

    private ProcessProtocol() {}

    @SuppressWarnings("SystemOut") // it is heard by the test
    static void report(long number) {
        System.out.println(PREFIX + number);
    }

    /** Hands on what the test says; ends the process when the test is gone. */
    static void listen(LongConsumer heard) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard.accept(Long.parseLong(line));
            }
        } catch (IOException e) {
            // The test is gone.
        }
        Runtime.getRuntime().halt(0);
    }
}
