package io.holdfast.admin.operation;

import io.holdfast.admin.gateway.OperatorProblem;
import java.util.List;

/** Why operations on parts of the system are refused. */
final class SystemProblems {

    private SystemProblems() {}

    /** @param incomplete the services that have not answered */
    static OperatorProblem unknownSaga(String sagaId, List<String> incomplete) {
        return OperatorProblem.of(
                404,
                "saga-unknown",
                "Saga not found",
                "no service tracks a saga " + sagaId + silent(incomplete),
                "GET /api/admin/sagas lists the sagas of all services");
    }

    /** @param sources the services that own a stream of the group */
    static OperatorProblem unknownGroup(String group, String sources) {
        return OperatorProblem.of(
                404,
                "group-unknown",
                "Group not found",
                "no consumer group " + group + " is registered at " + sources,
                "GET /api/admin/groups lists the groups of all services");
    }

    static OperatorProblem unknownService(String service) {
        return OperatorProblem.of(
                404,
                "service-unknown",
                "Service not found",
                "no service " + service + " is known",
                "GET /api/admin/services lists the known services");
    }

    static String silent(List<String> incomplete) {
        return incomplete.isEmpty()
                ? ""
                : "; these services have not answered, and may have it: " + String.join(", ", incomplete);
    }
}
