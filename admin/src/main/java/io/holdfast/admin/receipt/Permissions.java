package io.holdfast.admin.receipt;

import io.holdfast.action.Action.Kind;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.Role;
import java.util.EnumSet;
import java.util.Set;

/** Which role an action requires, and whether it requires a reason. Checked by the gateway, and again by the owner. */
public final class Permissions {

    private static final Set<Kind> FOR_ADMINS =
            EnumSet.of(Kind.EDIT, Kind.RESET, Kind.RAISE_EPOCH, Kind.SKIP_STEP, Kind.GIVE_UP_SAGA);

    private static final Set<Kind> WITH_REASON = EnumSet.of(Kind.EDIT, Kind.RESTORE);

    private Permissions() {}

    /** @throws OperatorProblem if the operator may only read */
    public static void requireWriter(Operator operator) {
        requireRole(operator, Kind.REPLAY, false);
    }

    /** @throws OperatorProblem if the operator's role does not allow the action */
    static void requireRole(Operator operator, Kind kind, boolean force) {
        Role required = force || FOR_ADMINS.contains(kind) ? Role.ADMIN : Role.OPERATOR;
        if (!operator.role().includes(required)) {
            throw OperatorProblem.of(
                    403,
                    "role-required",
                    "Not permitted",
                    operator.name() + " has the role " + operator.role() + ", but " + kind
                            + (force ? " with force" : "") + " requires " + required,
                    "Ask an operator with the role " + required);
        }
    }

    /** @throws OperatorProblem if the reason is missing */
    static void requireReason(Submission submission, Kind kind, boolean always) {
        if (submission.reason() == null && (always || submission.force() || WITH_REASON.contains(kind))) {
            throw OperatorProblem.of(
                    400,
                    "reason-required",
                    "Reason required",
                    kind + (submission.force() ? " with force" : "") + " of " + submission.target()
                            + " requires a reason",
                    "Repeat the request with a reason; the receipt shows it");
        }
    }
}
