package io.holdfast.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.aggregate.Decision;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.view.View;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Binds a unit's transaction to the thread, and unbinds all of it. */
class UnitTransactionBindingTests {

    private final JdbcDataSource dataSource = new JdbcDataSource();
    private final UnitTransactionBinding interceptor = new UnitTransactionBinding(dataSource);
    private final Component rowWriter =
            Component.named("keeper").rowsIn(dataSource).build();
    private final List<String> callbacks = new ArrayList<>();

    UnitTransactionBindingTests() {
        dataSource.setURL("jdbc:h2:mem:");
    }

    @Test
    void bindsTheConnectionOfTheUnitAsTheCurrentTransaction() throws Exception {
        try (Connection unit = dataSource.getConnection()) {
            call(unit, rowWriter, () -> {
                assertThat(DataSourceUtils.getConnection(dataSource)).isSameAs(unit);
                assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                        .isTrue();
                TransactionSynchronizationManager.registerSynchronization(recordingSynchronization());
                return null;
            });

            assertThat(unit.isClosed()).isFalse();
        }
        assertThat(callbacks).containsExactly("before commit", "before completion", "completed 2");
        assertNothingBound();
    }

    @Test
    void unbindsEverythingWhenTheHandlerFails() throws SQLException {
        try (Connection unit = dataSource.getConnection()) {
            assertThatThrownBy(() -> call(unit, rowWriter, () -> {
                        TransactionSynchronizationManager.registerSynchronization(recordingSynchronization());
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
        }
        assertThat(callbacks).containsExactly("before completion", "completed 2");
        assertNothingBound();
    }

    @Test
    void unbindsEverythingWhenACallbackBeforeTheCommitFails() throws SQLException {
        try (Connection unit = dataSource.getConnection()) {
            assertThatThrownBy(() -> call(unit, rowWriter, () -> {
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                throw new IllegalStateException("must not commit");
                            }
                        });
                        return null;
                    }))
                    .hasMessage("must not commit");
        }
        assertNothingBound();
    }

    @Test
    void bindsNothingForHandlersWithoutApplicationRows() throws Exception {
        Component plain = Component.named("plain").build();
        try (Connection unit = dataSource.getConnection()) {
            call(unit, plain, () -> {
                assertNothingBound();
                assertThat(new JdbcTemplate(dataSource).queryForObject("select 1", Integer.class))
                        .isEqualTo(1);
                return null;
            });
        }
    }

    private void call(Connection unit, Component component, HandlerInterceptor.Call handler) throws Exception {
        interceptor.around(component, "shop/keeper/keeper", new Unit(unit), handler);
    }

    private void assertNothingBound() {
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isFalse();
    }

    private TransactionSynchronization recordingSynchronization() {
        return new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                callbacks.add("before commit");
            }

            @Override
            public void beforeCompletion() {
                callbacks.add("before completion");
            }

            @Override
            public void afterCompletion(int status) {
                callbacks.add("completed " + status);
            }
        };
    }

    /** A unit that provides only its connection. */
    private record Unit(Connection connection) implements EventContext {

        @Override
        public <T> T resource(Class<T> type) {
            return type.cast(connection);
        }

        @Override
        public EventMessage event() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<DeadLetter> deadLetter() {
            return Optional.empty();
        }

        @Override
        public void decide(Decision decision) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> void update(View<R> view, String key, UnaryOperator<@Nullable R> change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String idempotencyKey() {
            throw new UnsupportedOperationException();
        }
    }
}
