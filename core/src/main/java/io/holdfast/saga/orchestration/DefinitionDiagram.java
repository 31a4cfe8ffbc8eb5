package io.holdfast.saga.orchestration;

import static io.holdfast.saga.MermaidText.escape;

import io.holdfast.saga.MermaidText;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.orchestration.StepDefinition.CallAction;
import io.holdfast.saga.orchestration.StepDefinition.SentCommand;
import java.util.ArrayList;
import java.util.List;

/** Draws a definition as a state diagram: the steps from top to bottom, and their undos from bottom to top. */
final class DefinitionDiagram {

    private final List<? extends StepDefinition<?>> steps;
    private final MermaidText text = new MermaidText("stateDiagram-v2");

    DefinitionDiagram(SagaDefinition<?> definition) {
        this.steps = definition.steps().stream().filter(step -> !step.retired()).toList();
    }

    String draw() {
        for (int i = 0; i < steps.size(); i++) {
            text.line(1, "state \"" + describe(i) + "\" as step" + i);
        }
        text.line(1, "[*] --> step0");
        for (int i = 1; i < steps.size(); i++) {
            text.line(1, "step" + (i - 1) + " --> step" + i);
        }
        text.line(1, "step" + (steps.size() - 1) + " --> [*] : " + SagaStatus.COMPLETED);
        for (int i = 0; i < steps.size(); i++) {
            drawFailure(i);
        }
        drawCompensation();
        return text.toString();
    }

    private String describe(int index) {
        StepDefinition<?> step = steps.get(index);
        return index + " " + escape(step.name()) + " (" + kind(step) + ")";
    }

    private static String kind(StepDefinition<?> step) {
        if (step.action() instanceof SentCommand<?> command) {
            return "command, " + escape(command.stream());
        }
        return step.action() instanceof CallAction ? "call" : "local";
    }

    /** A refusal of the leading local steps reaches the caller, and nothing is stored. */
    private void drawFailure(int index) {
        StepDefinition<?> step = steps.get(index);
        if (step.parks() || isRefusedAtStart(index)) {
            return;
        }
        String cause = step.action() instanceof SentCommand<?> command
                        && !command.refusals().isEmpty()
                ? String.join(" or ", command.refusals())
                : "failed";
        text.line(
                1,
                "step" + index + " --> COMPENSATING : " + escape(cause)
                        + (step.timeout() == null ? "" : " or timeout"));
    }

    private boolean isRefusedAtStart(int index) {
        return steps.subList(0, index + 1).stream()
                .allMatch(step -> step.action() instanceof StepDefinition.LocalAction);
    }

    private void drawCompensation() {
        List<String> undos = new ArrayList<>();
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i).undo() != null) {
                undos.add("undo" + i);
            }
        }
        if (undos.isEmpty()) {
            return;
        }
        text.line(1, "state COMPENSATING {");
        for (int i = steps.size() - 1; i >= 0; i--) {
            String undo = steps.get(i).undoName();
            if (undo != null) {
                text.line(2, "state \"" + escape(undo) + "\" as undo" + i);
            }
        }
        text.line(2, "[*] --> " + undos.get(0));
        for (int i = 1; i < undos.size(); i++) {
            text.line(2, undos.get(i - 1) + " --> " + undos.get(i));
        }
        text.line(2, undos.get(undos.size() - 1) + " --> [*]");
        text.line(1, "}");
        text.line(1, "COMPENSATING --> [*] : " + SagaStatus.COMPENSATED);
    }
}
