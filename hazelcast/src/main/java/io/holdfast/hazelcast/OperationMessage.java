package io.holdfast.hazelcast;

import io.holdfast.wire.OperationReply;
import io.holdfast.wire.OperationRequest;
import java.util.List;
import java.util.UUID;

/**
 * A request between replicas, or the reply to it.
 *
 * @param kind {@link #REQUEST}, or the outcome of a reply
 * @param attempt unique to one call of {@code ask}; the reply repeats it, so that no earlier reply fits
 * @param replyTo the topic on which the asker receives the reply; empty in a reply
 * @param replica the replica that serves the request
 * @param id the id of the request, which repetitions share
 */
record OperationMessage(
        String kind,
        String attempt,
        String replyTo,
        String service,
        String replica,
        String id,
        String operation,
        String body) {

    static final String REQUEST = "REQUEST";
    static final String REPLY_TOPIC = "holdfast.operation-replies.";
    /** Names the signed fields and their order. It changes whenever they do. */
    static final String LAYOUT = "holdfast-operation-1";

    private static final String REQUEST_TOPIC = "holdfast.operations.";

    /** Returns the topic on which a replica receives requests. */
    static String topic(String replica) {
        return REQUEST_TOPIC + replica;
    }

    static OperationMessage of(String replica, OperationRequest request, String replyTo) {
        return new OperationMessage(
                REQUEST,
                UUID.randomUUID().toString(),
                replyTo,
                request.service(),
                replica,
                request.id().toString(),
                request.operation(),
                request.body());
    }

    OperationMessage reply(OperationReply reply) {
        return new OperationMessage(reply.outcome().name(), attempt, "", service, replica, id, operation, reply.body());
    }

    /** @throws RuntimeException if this is no request that a replica would send */
    OperationRequest request() {
        if (!kind.equals(REQUEST) || !replyTo.startsWith(REPLY_TOPIC)) {
            throw new IllegalArgumentException("not a request: " + this);
        }
        return new OperationRequest(UUID.fromString(id), service, operation, body);
    }

    /** @throws RuntimeException if this is no reply, or one of a later version */
    OperationReply reply() {
        return new OperationReply(OperationReply.Outcome.valueOf(kind), body);
    }

    /** Returns whether this is the reply to a request, and not to another attempt. */
    boolean isReplyTo(OperationMessage request) {
        return request.reply(reply()).equals(this);
    }

    List<String> signedFields() {
        return List.of(kind, attempt, replyTo, service, replica, id, operation, body);
    }

    /** Leaves out the body, which may contain what a log must not show. */
    @Override
    public String toString() {
        return kind + " " + id + " for operation " + operation + " of service " + service + " at replica " + replica;
    }
}
