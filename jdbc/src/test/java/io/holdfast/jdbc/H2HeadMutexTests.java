package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.RetryableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2HeadMutexTests {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final H2HeadMutex mutex = new H2HeadMutex();
    private final Object first = new Object();
    private final Object second = new Object();

    @Test
    void admitsTransactionsInTheOrderOfTheirArrival() throws Exception {
        mutex.acquire(first, LONG);
        List<Integer> admitted = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(5);
        for (int i = 0; i < 5; i++) {
            int number = i;
            startWaiting(() -> {
                Object transaction = new Object();
                acquire(transaction, LONG);
                admitted.add(number);
                mutex.release(transaction);
                done.countDown();
            });
        }
        assertThat(admitted).isEmpty();

        mutex.release(first);

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(admitted).isEqualTo(IntStream.range(0, 5).boxed().toList());
    }

    @Test
    void failsLikeALockTimeoutOfH2() {
        acquire(first, LONG);

        assertThatExceptionOfType(SQLTimeoutException.class)
                .isThrownBy(() -> mutex.acquire(second, SHORT))
                .satisfies(e -> {
                    assertThat(e.getSQLState()).isEqualTo("HYT00");
                    assertThat(SqlErrors.of("locking", e)).isInstanceOf(RetryableException.class);
                });
    }

    @Test
    void admitsTheNextAfterATimeout() {
        acquire(first, LONG);
        assertTaken();

        mutex.release(first);

        assertFree();
    }

    @Test
    void isReentrantForTheSameTransaction() {
        acquire(first, LONG);
        acquire(first, SHORT);
        assertTaken();

        mutex.release(first);

        assertFree();
    }

    @Test
    void isReleasedOnlyByItsTransactionAndOnlyOnce() {
        acquire(first, LONG);
        mutex.release(second);
        assertTaken();

        mutex.release(first);
        mutex.release(first);

        acquire(second, SHORT);
        assertTaken();
    }

    @Test
    void isReleasedByAnyThread() throws Exception {
        acquire(first, LONG);

        Thread other = new Thread(() -> mutex.release(first));
        other.start();
        other.join(LONG.toMillis());

        assertFree();
    }

    /** H2 would close its file on an interrupted thread. */
    @Test
    void treatsAnInterruptAsATimeoutAndClearsIt() {
        acquire(first, LONG);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(SQLTimeoutException.class).isThrownBy(() -> mutex.acquire(second, LONG));

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void isTheSameForEveryDataSourceOfADatabase(@TempDir Path folder) {
        DataSource one = dataSource("jdbc:h2:file:" + folder.resolve("one"));

        assertThat(H2HeadMutex.of(one))
                .isSameAs(H2HeadMutex.of(one))
                .isSameAs(H2HeadMutex.of(dataSource("jdbc:h2:" + folder.resolve("one") + ";WRITE_DELAY=0")))
                .isNotSameAs(H2HeadMutex.of(dataSource("jdbc:h2:file:" + folder.resolve("other"))))
                .isNotSameAs(H2HeadMutex.of(dataSource("jdbc:h2:mem:one")));
    }

    private static DataSource dataSource(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        return dataSource;
    }

    private void assertTaken() {
        assertThatExceptionOfType(SQLTimeoutException.class).isThrownBy(() -> mutex.acquire(new Object(), SHORT));
    }

    private void assertFree() {
        Object probe = new Object();
        assertThatCode(() -> mutex.acquire(probe, SHORT)).doesNotThrowAnyException();
        mutex.release(probe);
    }

    private static void startWaiting(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private void acquire(Object transaction, Duration timeout) {
        try {
            mutex.acquire(transaction, timeout);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
