package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.testsupport.PostgresqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes of a service are updated to a new version one by one, under load and with kills, rolled back, and
 * updated again. Every entry has its effects once and in order.
 */
@Tag("long")
class RollingUpdateProcessTests {

    private static final int KEYS = 40;
    /** Each writes one entry of the old type and one of the new type. */
    private static final int WRITES = 420;
    /** Each replica is killed that often while both versions run. */
    private static final int KILLS = 3;
    /** Writes after the rollback, and again after the second update. */
    private static final int LATER_WRITES = 40;

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String url = PostgresqlServer.sharedDurable().newDatabase();

    @ParameterizedTest
    @EnumSource
    void updateWithKillsAndARollbackLosesAndDuplicatesNothing(VersionChange change) {
        long seed = new Random().nextLong();
        System.out.printf("rolling update with %s, seed %d%n", change, seed);
        Random random = new Random(seed);
        try (EntryWriter writer = new EntryWriter(url, change);
                TwoReplicas replicas = new TwoReplicas(url, change, random);
                EntryLoad load = new EntryLoad(writer, KEYS, new Random(seed))) {
            EntryAudit audit = new EntryAudit(writer, change);
            keys("key-").forEach(writer::writeOld);
            replicas.replace(1, VersionChange.NEW);
            audit.newVersionIsReady();

            killWhileLoaded(replicas, load, random);
            long waiting = rollBack(replicas, load, writer, audit);
            replicas.replaceAll(VersionChange.NEW);
            load.raise(LATER_WRITES);
            load.awaitLimit();

            audit.awaitAllHandled().everyEntryIsHandledOnce();
            System.out.printf(
                    "rolling update with %s, seed %d: %d writes of both types, %s, %d letters after the rollback,"
                            + " %d effects, nothing lost%n",
                    change, seed, load.written(), replicas, waiting, audit.effects());
        }
    }

    /** Kills one of the replicas at a random moment of each share of the load, and restarts it in the same version. */
    private static void killWhileLoaded(TwoReplicas replicas, EntryLoad load, Random random) {
        List<Integer> victims = new ArrayList<>();
        IntStream.range(0, KILLS).forEach(kill -> victims.addAll(List.of(0, 1)));
        Collections.shuffle(victims, random);
        int share = WRITES / victims.size();
        for (int victim : victims) {
            int before = load.written();
            load.raise(share);
            load.awaitWritten(before + random.nextInt(share));
            replicas.killAndRestart(victim);
            load.awaitLimit();
        }
    }

    /**
     * The old version continues with the keys that have only entries it knows; everything else waits.
     *
     * @return the number of letters
     */
    private static long rollBack(TwoReplicas replicas, EntryLoad load, EntryWriter writer, EntryAudit audit) {
        replicas.replaceAll(VersionChange.OLD);
        load.raise(LATER_WRITES);
        load.awaitLimit();
        List<String> known = keys("known-");
        known.forEach(writer::writeOld);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
            assertThat(known).allSatisfy(key -> assertThat(audit.effects(key)).isEqualTo(1));
            assertThat(audit.letters()).isGreaterThanOrEqualTo(LATER_WRITES);
        });
        return audit.letters();
    }

    private static List<String> keys(String prefix) {
        return IntStream.range(0, KEYS).mapToObj(number -> prefix + number).toList();
    }
}
