package io.holdfast.saga.orchestration;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds all mistakes of a definition, so that they are reported together. */
final class DefinitionChecks<D> {

    /** So that the tag of a row, which also names the status, and the names of components are valid names. */
    static final int MAX_NAME_LENGTH = 100;

    private final String name;
    private final @Nullable Duration timeout;
    private final List<StepDraft<D>> steps;
    private final List<String> mistakes = new ArrayList<>();

    DefinitionChecks(String name, @Nullable Duration timeout, List<StepDraft<D>> steps) {
        this.name = name;
        this.timeout = timeout;
        this.steps = steps;
    }

    List<String> mistakes() {
        checkName("its name", name);
        checkPositive("timeout", timeout);
        if (steps.stream().allMatch(step -> step.retired)) {
            add("needs at least one step; add step(…)");
        }
        Set<String> names = new HashSet<>();
        for (StepDraft<D> step : steps) {
            checkNames(step, names);
            checkAction(step);
            checkReplies(step);
        }
        return mistakes;
    }

    private void checkNames(StepDraft<D> step, Set<String> known) {
        List<String> names = new ArrayList<>(step.formerNames);
        names.add(step.name);
        for (String each : names) {
            checkName("the name of a step", each);
            if (each.indexOf('.') >= 0) {
                add("step " + each + " must not have a dot in its name");
            }
            if (!known.add(each)) {
                add("has two steps named " + each + "; rename one");
            }
        }
    }

    private void checkAction(StepDraft<D> step) {
        if (step.action == null && step.command == null) {
            add("step " + step.name + " does nothing; add local(…), call(…) or command(…)");
        }
        checkPositive("timeout of step " + step.name, step.timeout);
        Integer attempts = step.retry.maxAttempts();
        if (attempts != null && attempts < 1) {
            add("step " + step.name + " has retry(" + attempts + "), but needs at least one attempt");
        }
    }

    private void checkReplies(StepDraft<D> step) {
        if (step.command == null) {
            return;
        }
        if (step.replies.isEmpty()) {
            add("step " + step.name + " sends a command, but no event answers it; add repliedBy(…)");
        }
        if (step.streams.size() > 1) {
            add("step " + step.name + " has replies in several streams " + step.streams + "; one service answers a"
                    + " command, in one of its streams");
        }
        if (step.undoCommand != null && step.undoReplies.isEmpty()) {
            add("step " + step.name + " sends an undo, but no event answers it; add repliedBy(…) after undo(…)");
        }
        Set<String> seen = new HashSet<>();
        step.replyTypes().stream()
                .filter(type -> !seen.add(type))
                .forEach(type -> add("step " + step.name + " declares reply " + type
                        + " twice; give each outcome its own" + " event type"));
        step.streams.forEach(stream -> checkName("a stream", stream));
        seen.forEach(type -> checkName("an event type", type));
    }

    private void checkPositive(String what, @Nullable Duration time) {
        if (time != null && (time.isZero() || time.isNegative())) {
            add(what + " is " + time + ", but must be positive");
        }
    }

    private void checkName(String what, String value) {
        try {
            Names.require(what, value);
            if (value.length() > MAX_NAME_LENGTH) {
                add(what + " must have at most " + MAX_NAME_LENGTH + " characters, but has " + value.length());
            }
        } catch (PermanentException e) {
            add(String.valueOf(e.getMessage()));
        }
    }

    private void add(String mistake) {
        mistakes.add("saga " + name + ": " + mistake);
    }
}
