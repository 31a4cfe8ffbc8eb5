package io.holdfast.saga;

import static io.holdfast.saga.MermaidText.escape;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws a saga type as a state diagram: forward steps from top to bottom, and one state for the compensation. */
final class TypeDiagram {

    private final List<SagaStep> steps;
    private final MermaidText text = new MermaidText("stateDiagram-v2");

    TypeDiagram(Choreography type) {
        this.steps = type.steps();
    }

    String draw() {
        steps.forEach(step -> text.line(1, "state \"" + describe(step) + "\" as step" + step.stepNumber()));
        text.line(1, "[*] --> step0");
        for (int i = 1; i < steps.size(); i++) {
            text.line(1, "step" + (i - 1) + " --> step" + i);
        }
        text.line(1, "step" + (steps.size() - 1) + " --> [*] : " + SagaStatus.COMPLETED);
        steps.forEach(this::drawFailures);
        drawCancellations();
        drawCompensation();
        text.line(1, SagaStatus.COMPENSATING + " --> [*] : " + SagaStatus.COMPENSATED);
        return text.toString();
    }

    private static String describe(SagaStep step) {
        return step.stepNumber() + " " + escape(step.event()) + " (" + escape(step.service()) + ")";
    }

    /** A step fails while the saga waits for it, that is, after the step before it. */
    private void drawFailures(SagaStep step) {
        int from = Math.max(0, step.stepNumber() - 1);
        step.failedBy()
                .forEach(event ->
                        text.line(1, "step" + from + " --> " + SagaStatus.COMPENSATING + " : " + escape(event)));
    }

    /** Until the saga completes, step 0 can be undone at any time. */
    private void drawCancellations() {
        String compensation =
                steps.get(0).findCompensation().map(MermaidText::escape).orElseThrow();
        for (int i = 0; i < steps.size() - 1; i++) {
            text.line(1, "step" + i + " --> " + SagaStatus.COMPENSATING + " : " + compensation + " or timeout");
        }
    }

    /** The steps are answered in any order, so they are concurrent regions. */
    private void drawCompensation() {
        List<SagaStep> compensable =
                steps.stream().filter(step -> !step.isCompleting()).toList();
        text.line(1, "state " + SagaStatus.COMPENSATING + " {");
        List<String> regions = new ArrayList<>();
        for (SagaStep step : compensable) {
            String answers = Stream.concat(step.findCompensation().stream(), step.withdrawnBy().stream())
                    .map(MermaidText::escape)
                    .collect(Collectors.joining(" or "));
            regions.add("state \"" + answers + " (" + escape(step.service()) + ")\" as undo" + step.stepNumber());
        }
        for (int i = 0; i < regions.size(); i++) {
            if (i > 0) {
                text.line(2, "--");
            }
            text.line(2, regions.get(i));
        }
        text.line(1, "}");
    }
}
