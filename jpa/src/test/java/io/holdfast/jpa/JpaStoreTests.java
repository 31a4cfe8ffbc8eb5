package io.holdfast.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.service.Store;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The requirements on a persistence unit, and the compatibility of its tables with plain JDBC. */
@ParameterizedClass
@EnumSource(Product.class)
class JpaStoreTests {

    private static final String COMPONENT = "kit/billing/invoices";
    /** Not a whole second, and as a local time skipped by time zones that switch to summer time. */
    private static final Instant TIME = Instant.parse("2026-03-29T01:30:00.123456Z");

    private final TestPersistenceUnit unit;

    JpaStoreTests(Product product) {
        this.unit = TestPersistenceUnit.acquire(product);
    }

    @AfterEach
    void releaseUnit() {
        unit.release();
    }

    @Test
    void namesUnmappedEntitiesAtStart() {
        try (EntityManagerFactory without = unit.withoutEntities()
                .managedClass(QueueEntity.class)
                .managedClass(Seat.class)
                .createEntityManagerFactory()) {
            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> JpaStore.in("kit", without).open())
                    .withMessage("the persistence unit kit does not map io.holdfast.jpa.LetterEntity,"
                            + " io.holdfast.jpa.SequenceEntity; add all of JpaStore.entities() to it, for example as"
                            + " <class> in persistence.xml");
        }
    }

    @Test
    void rejectsAPersistenceUnitWithoutADataSource() {
        PersistenceConfiguration configuration = new PersistenceConfiguration("alone")
                .property(AvailableSettings.JAKARTA_JDBC_URL, "jdbc:h2:mem:alone")
                .property(AvailableSettings.JAKARTA_JDBC_USER, "sa");
        JpaStore.entities().forEach(configuration::managedClass);
        try (EntityManagerFactory factory = configuration.createEntityManagerFactory()) {
            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> JpaStore.in("kit", factory).open())
                    .withMessage("the persistence unit alone does not get its connections from a DataSource; the store"
                            + " uses the same pool, so set jakarta.persistence.nonJtaDataSource");
        }
    }

    /** Each store reads the letters that the other has parked, so a service can switch between them. */
    @Test
    void lettersAreTheSameWithPlainJdbc() {
        try (JpaStore byJpa = JpaStore.in("kit", unit.factory()).open();
                JdbcStore byJdbc = JdbcStore.in("kit", unit.dataSource()).open()) {
            park(byJpa, "by jpa");
            park(byJdbc, "by jdbc");

            assertThat(letters(byJpa)).hasSize(2).isEqualTo(letters(byJdbc));
            assertThat(byJpa.deadLetterStore().findByNextAttempt(COMPONENT, null, 10))
                    .hasSize(2)
                    .isEqualTo(byJdbc.deadLetterStore().findByNextAttempt(COMPONENT, null, 10));
            assertThat(byJpa.deadLetterStore().counts(COMPONENT))
                    .isEqualTo(byJdbc.deadLetterStore().counts(COMPONENT));
        }
    }

    @Test
    void timesAreTheSameInEveryTimeZone() {
        TimeZone before = TimeZone.getDefault();
        try (EntityManagerFactory elsewhere = unit.configuration()
                        .property(AvailableSettings.JDBC_TIME_ZONE, "Asia/Kathmandu")
                        .createEntityManagerFactory();
                JpaStore store = JpaStore.in("kit", elsewhere).open()) {
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            park(store, "a");
            TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));

            DeadLetterStore parked = store.deadLetterStore();
            assertThat(letters(store))
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.enqueuedAt()).isEqualTo(TIME))
                    .satisfies(
                            letter -> assertThat(letter.message().occurredAt()).isEqualTo(TIME));
            assertThat(parked.findOldestPending(COMPONENT)).contains(TIME);
        } finally {
            TimeZone.setDefault(before);
        }
        assertThat(
                        unit.query(
                                "select 1 from holdfast_letter where enqueued_at = timestamp with time zone '2026-03-29 01:30:00.123456+00'"))
                .hasSize(1);
    }

    private static void park(Store store, String sequence) {
        EventMessage event = new EventMessage(
                UUID.nameUUIDFromBytes(sequence.getBytes(StandardCharsets.UTF_8)),
                "orders",
                "orders",
                sequence,
                1,
                TIME,
                Metadata.of(Map.of("correlationId", "c-1")),
                new Payload("OrderPlaced", 1, "{\"text\":\"ä\"}"),
                new LogPosition(new LogIdentity(new UUID(1, 2), 1), 7, 0, null));
        Cause cause = new Cause("java.lang.Exception", null, "trace", List.of("the cause of it"));
        new SequencedDeadLetterQueue(
                        store.deadLetterStore(),
                        "DeadLetterQueue[billing][invoices]",
                        "billing",
                        COMPONENT,
                        QueueLimits.DEFAULT,
                        Clock.fixed(TIME, ZoneOffset.UTC))
                .enqueue(sequence, event, cause);
    }

    private static List<DeadLetter> letters(Store store) {
        return store.deadLetterStore().findByAge(COMPONENT, null, 10).stream()
                .flatMap(
                        sequence -> store
                                .deadLetterStore()
                                .findLetters(
                                        new SequenceId(COMPONENT, sequence.id().sequence()), 0, 10)
                                .stream())
                .toList();
    }
}
