package io.holdfast.benchmarks;

import java.util.Arrays;
import java.util.List;

/** Runs one benchmark by name. */
public final class Benchmarks {

    private static final String HELP =
            """
            ./bench [name] [--option=value ...]

            appends   durable appends with 1, 8 and 64 callers on PostgreSQL and H2, against one commit per append,
                      plain parallel inserts and raw batched inserts (the default; about four minutes)
              --slice=2000        milliseconds that one measurement takes
              --repeats=3         how often each is measured, one after the other
              --databases=postgresql,h2
              --only=grouped      variants to run: grouped, single, plain, batched (default: all)

            growth    append, load by key and catch-up at ten thousand events and at many (about eight minutes)
              --events=10000000   how many on PostgreSQL
              --h2-events=1000000 how many on H2
              --small=10000       what they are compared with
              --repeats=5
              --databases=postgresql,h2

            wire      events from log to handler over a Hazelcast member, against reading the same rows and adding them to
                      a ring, and against a topic; latency from commit to handler when idle (about two minutes)
              --events=20000      how many are carried in one measurement
              --samples=500       how many are timed one by one
              --repeats=3

            processing
                      a processor whose handler appends an event per event, against one transaction per event by hand;
                      rows and statements per event; on PostgreSQL (about three minutes)
              --events=20000      how many are in the log
              --single=2000       how many each thread handles that commits one by one
              --keys=500          how many keys they have
              --repeats=5

            deadletters
                      parking, draining and picking with 1,000, 10,000 and 100,000 sequences parked, against Axon's JDBC
                      queue; statements per healthy event; on PostgreSQL (about six minutes)
              --sequences=1000,10000,100000
              --events=20000      how many more are parked
              --slice=2000        milliseconds that one measurement takes at most
              --repeats=3

            Databases are made in a temporary directory, which is removed. Compare figures of one run only.
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
                default -> throw new InvalidOptionException("there is no benchmark " + name);
            }
        } catch (InvalidOptionException e) {
            Report.print("bench: " + e.getMessage() + ". See ./bench --help\n");
            System.exit(2);
        }
    }
}
