package io.holdfast.benchmarks;

import java.util.Arrays;
import java.util.List;

/** Entry point of {@code ./bench}: runs one benchmark by name. */
public final class Benchmarks {

    private static final String HELP =
            """
            Usage: ./bench [benchmark] [--option=value ...]

            Benchmarks, with their options and defaults:

            appends (default, about 4 minutes)
              Durable appends with 1, 8 and 64 callers on PostgreSQL and H2, compared with one commit per append, plain
              parallel inserts and raw batched inserts.
              --slice=2000          duration of one measurement in milliseconds
              --repeats=3           rounds
              --databases=postgresql,h2
              --only=single,plain,batched,grouped   variants to run

            growth (about 8 minutes)
              Append, load by key and catch-up on a large log, compared with a small one.
              --events=10000000     events in the large log on PostgreSQL
              --h2-events=1000000   events in the large log on H2
              --small=10000         events in the small log
              --repeats=5           rounds
              --databases=postgresql,h2

            wire (about 2 minutes)
              Throughput from log to handler over a Hazelcast member, compared with reading the same rows and adding them
              to a ringbuffer, with and without a topic. Latency from commit to handler on an idle machine.
              --events=20000        events per throughput measurement
              --samples=500         events per latency measurement
              --repeats=3           rounds

            processing (about 3 minutes)
              A processor whose handler appends one event per event, compared with hand-written code that commits one
              transaction per event. Rows and statements per event. PostgreSQL only.
              --events=20000        events in the log
              --single=2000         events per thread of the hand-written code
              --keys=500            keys of these events
              --repeats=5           rounds

            deadletters (about 6 minutes)
              Parking and replaying with 1,000, 10,000 and 100,000 parked sequences, compared with Axon's JDBC queue.
              Statements per healthy event. PostgreSQL only.
              --sequences=1000,10000,100000   numbers of parked sequences
              --events=20000        additional events to park
              --slice=2000          maximum duration of one measurement in milliseconds
              --repeats=3           rounds

            Databases are created in a temporary directory and deleted afterwards. Compare figures of the same run only.
            """;

    private Benchmarks() {}

    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            Report.print(HELP);
            return;
        }
        boolean named = !given.isEmpty() && !given.get(0).startsWith("--");
        String name = named ? given.get(0) : "appends";
        try {
            Options options = Options.parse(Arrays.copyOfRange(arguments, named ? 1 : 0, arguments.length));
            switch (name) {
                case "appends" -> new AppendsBenchmark(options).run();
                case "growth" -> new GrowthBenchmark(options).run();
                case "wire" -> new WireBenchmark(options).run();
                case "processing" -> new ProcessingBenchmark(options).run();
                case "deadletters" -> new DeadLettersBenchmark(options).run();
                default -> throw new InvalidOptionException("unknown benchmark " + name);
            }
        } catch (InvalidOptionException e) {
            Report.print("bench: " + e.getMessage() + "; see ./bench --help\n");
            System.exit(2);
        }
    }
}
