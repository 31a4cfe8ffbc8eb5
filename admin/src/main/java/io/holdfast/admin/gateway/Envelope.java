package io.holdfast.admin.gateway;

import io.holdfast.admin.gateway.OperatorProblem.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How requests and replies look on the wire. */
final class Envelope {

    /** Services of different versions exchange these values, so properties may be unknown or missing. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Envelope() {}

    private record Request(Operator operator, JsonNode question) {}

    private record Reply(@Nullable JsonNode answer, @Nullable Problem problem) {}

    /** A request as its owner reads it. */
    record Asked<Q>(Operator operator, Q question) {}

    static String request(Operator operator, Object question) {
        return JSON.writeValueAsString(new Request(operator, JSON.valueToTree(question)));
    }

    static <Q> Asked<Q> readRequest(String body, Class<Q> type) {
        Request request = JSON.readValue(body, Request.class);
        return new Asked<>(request.operator(), JSON.treeToValue(request.question(), type));
    }

    static String answer(Object answer) {
        return JSON.writeValueAsString(new Reply(JSON.valueToTree(answer), null));
    }

    static String problem(Problem problem) {
        return JSON.writeValueAsString(new Reply(null, problem));
    }

    /** @throws OperatorProblem if that is the reply */
    static <A> A readReply(String body, Class<A> type) {
        Reply reply = JSON.readValue(body, Reply.class);
        if (reply.problem() != null) {
            throw new OperatorProblem(reply.problem());
        }
        return JSON.treeToValue(reply.answer(), type);
    }
}
