package io.holdfast.admin.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.RetryableException;
import io.holdfast.admin.Warehouse;
import io.holdfast.admin.gateway.Operator.Via;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.Announcement;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two services, shop and stock, and a third one that announces itself but never replies. */
class ServiceGatewayTests {

    record Question(String name, int number) {}

    record Answer(String text, @Nullable BigDecimal price, Operator asker) {}

    private static final Endpoint<Question, Answer> PRICE = new Endpoint<>("price", Question.class, Answer.class);
    private static final Question PEN = new Question("pen", 3);
    private static final Duration GENEROUS = Duration.ofSeconds(20);

    private final InMemoryWire wire = new InMemoryWire();
    private final Map<String, HoldfastService> services = new HashMap<>();
    private final OwnerEndpoints shop = start("shop");
    private final OwnerEndpoints stock = start("stock");
    private final ServiceGateway gateway = new ServiceGateway(services.get("shop"), shop, Clock.systemUTC(), Set::of);
    private final Operator ana = new Operator(
            "ana", Role.OPERATOR, new Via("shop", services.get("shop").replica(), "192.0.2.7"));

    private OwnerEndpoints start(String name) {
        HoldfastService service = HoldfastService.named(name, new InMemoryStore(name, Clock.systemUTC()), wire)
                .build();
        services.put(name, service);
        service.start();
        await().atMost(Warehouse.AWAIT_TIMEOUT).until(() -> wire.directory().stream()
                .anyMatch(each -> each.service().equals(name)));
        return new OwnerEndpoints(service.operations());
    }

    @AfterEach
    void close() {
        gateway.close();
        services.values().forEach(HoldfastService::close);
    }

    private static Answer answer(Operator asker, Question question) {
        return new Answer(question.number() + " " + question.name(), new BigDecimal("10.10"), asker);
    }

    private Answer ask(String owner) throws Exception {
        return gateway.ask(owner, PRICE, ana, PEN).get(GENEROUS.toSeconds(), TimeUnit.SECONDS);
    }

    private Throwable failure(CompletableFuture<?> asked) {
        return assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> asked.get(GENEROUS.toSeconds(), TimeUnit.SECONDS))
                .actual()
                .getCause();
    }

    private OperatorProblem.Problem problem(String owner) {
        Throwable failure = failure(gateway.ask(owner, PRICE, ana, PEN));
        assertThat(failure).isInstanceOf(OperatorProblem.class);
        return ((OperatorProblem) failure).problem();
    }

    @Test
    void asksThisServiceAndOthersAlike() throws Exception {
        shop.serve(PRICE, ServiceGatewayTests::answer);
        stock.serve(PRICE, ServiceGatewayTests::answer);

        assertThat(ask("stock")).isEqualTo(ask("shop")).isEqualTo(answer(ana, PEN));
    }

    @Test
    void passesTheOwnersProblemOn() {
        OperatorProblem refusal = new OperatorProblem(
                new OperatorProblem.Problem(409, "in-progress", "In progress", "ben replays it", "Wait", "0199"));
        for (OwnerEndpoints endpoints : List.of(shop, stock)) {
            endpoints.serve(PRICE, (asker, question) -> {
                throw refusal;
            });
        }

        assertThat(problem("stock")).isEqualTo(problem("shop")).isEqualTo(refusal.problem());
    }

    @Test
    void passesALateProblemOn() {
        OperatorProblem refusal = OperatorProblem.of(404, "not-found", "Not found", "no pen", null);
        shop.serveLater(PRICE, (asker, question) -> CompletableFuture.failedFuture(refusal));
        stock.serveLater(PRICE, (asker, question) -> CompletableFuture.failedFuture(refusal));

        assertThat(problem("stock")).isEqualTo(problem("shop")).isEqualTo(refusal.problem());
    }

    @Test
    void reportsAStoreThatIsUnavailableAsRetryable() {
        stock.serve(PRICE, (asker, question) -> {
            throw new RetryableException("the database does not respond");
        });

        assertThat(failure(gateway.ask("stock", PRICE, ana, PEN)))
                .isInstanceOf(RetryableException.class)
                .hasMessageContaining("the database does not respond");
    }

    @Test
    void refusesAtOnceIfNoReplicaIsLive() {
        assertThat(problem("nowhere").code()).isEqualTo("owner-unavailable");
        assertThat(problem("nowhere").status()).isEqualTo(503);
    }

    @Test
    void namesAnOwnerOfAVersionThatLacksTheOperation() {
        assertThat(problem("stock").code()).isEqualTo("unsupported");
    }

    @Test
    void asksItselfWithoutTheWire() throws Exception {
        shop.serve(PRICE, ServiceGatewayTests::answer);
        stock.serve(PRICE, ServiceGatewayTests::answer);
        wire.disconnect();

        assertThat(ask("shop")).isEqualTo(answer(ana, PEN));
        assertThat(gathered().answers()).containsOnlyKeys("shop");
        assertThat(gathered().incomplete()).containsExactly("stock");
    }

    private Gathered<Answer> gathered() throws Exception {
        return gateway.gather(PRICE, ana, PEN, name -> true).get(GENEROUS.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void gathersWhatAllServicesAnswerAndNamesTheSilentOnes() throws Exception {
        shop.serve(PRICE, ServiceGatewayTests::answer);
        stock.serve(PRICE, ServiceGatewayTests::answer);
        wire.announce(new Announcement("mute", "mute-1", List.of(), List.of(), List.of(), List.of()));

        Gathered<Answer> gathered = gathered();

        assertThat(gathered.answers()).containsOnlyKeys("shop", "stock").containsEntry("stock", answer(ana, PEN));
        assertThat(gathered.incomplete()).containsExactly("mute");
    }

    @Test
    void namesKnownServicesThatAreGone() throws Exception {
        shop.serve(PRICE, ServiceGatewayTests::answer);
        stock.serve(PRICE, ServiceGatewayTests::answer);
        try (ServiceGateway remembering =
                new ServiceGateway(services.get("shop"), shop, Clock.systemUTC(), () -> Set.of("gone", "stock"))) {

            Gathered<Answer> gathered =
                    remembering.gather(PRICE, ana, PEN, name -> true).get(GENEROUS.toSeconds(), TimeUnit.SECONDS);

            assertThat(gathered.answers()).containsOnlyKeys("shop", "stock");
            assertThat(gathered.incomplete()).containsExactly("gone");
        }
    }

    @Test
    void namesThisServiceIfItsOwnStoreHangs() throws Exception {
        shop.serveLater(PRICE, (asker, question) -> new CompletableFuture<>());
        stock.serve(PRICE, ServiceGatewayTests::answer);

        Gathered<Answer> gathered = gathered();

        assertThat(gathered.answers()).containsOnlyKeys("stock");
        assertThat(gathered.incomplete()).containsExactly("shop");
    }

    @Test
    void asksOnlyTheSelectedServices() throws Exception {
        stock.serve(PRICE, ServiceGatewayTests::answer);

        Gathered<Answer> gathered =
                gateway.gather(PRICE, ana, PEN, "stock"::equals).get(GENEROUS.toSeconds(), TimeUnit.SECONDS);

        assertThat(gathered.answers()).containsOnlyKeys("stock");
        assertThat(gathered.incomplete()).isEmpty();
    }

    @Test
    void asksOneReplica() throws Exception {
        shop.serve(PRICE, ServiceGatewayTests::answer);
        stock.serve(PRICE, ServiceGatewayTests::answer);

        for (String owner : List.of("shop", "stock")) {
            String replica = services.get(owner).replica();
            assertThat(gateway.askReplica(owner, replica, PRICE, ana, PEN).get(GENEROUS.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(answer(ana, PEN));
        }
        assertThat(((OperatorProblem) failure(gateway.askReplica("stock", "stock-9", PRICE, ana, PEN)))
                        .problem()
                        .code())
                .isEqualTo("owner-unavailable");
    }

    @Test
    void stopsAnsweringWhenClosed() {
        stock.serve(PRICE, ServiceGatewayTests::answer);

        stock.close();

        assertThat(problem("stock").code()).isEqualTo("unsupported");
    }
}
