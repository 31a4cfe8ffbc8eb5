package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prints lines and tables to standard output. */
final class Report {

    private final List<String[]> rows = new ArrayList<>();

    Report(String... headings) {
        rows.add(headings);
    }

    void row(String... cells) {
        rows.add(cells);
    }

    void print() {
        int[] widths = new int[rows.get(0).length];
        rows.forEach(row -> {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        });
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String space = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? row[i] + space : "  " + space + row[i]);
            }
            line("%s", line.toString().stripTrailing());
        }
        line("");
    }

    static void line(String format, Object... values) {
        print(String.format(Locale.ROOT, format, values) + System.lineSeparator());
    }

    static void print(String text) {
        System.out.print(text);
        System.out.flush();
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 1 ? "%.1f" : "%.3f", value);
    }

    static void goal(String what, boolean reached, String figure) {
        line("%-8s %s: %s", reached ? "reached" : "MISSED", what, figure);
    }

    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
