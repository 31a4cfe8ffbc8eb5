package io.holdfast.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/** The protocol between a process under test and its test: one number per line. */
final class ProcessProtocol {

    static final String PREFIX = "NUMBER ";

    private ProcessProtocol() {}

    @SuppressWarnings("SystemOut") // the test reads it
    static void report(long number) {
        System.out.println(PREFIX + number);
    }

    /** Passes the numbers that the test sends to the listener, and halts the process when the test has exited. */
    static void listen(LongConsumer listener) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(Long.parseLong(line));
            }
        } catch (IOException e) {
            // The test has exited.
        }
        Runtime.getRuntime().halt(0);
    }
}
