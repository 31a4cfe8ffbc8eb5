package io.holdfast.saga;

import static io.holdfast.saga.MermaidText.escape;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Draws one saga as a sequence diagram. An event points to the services that react to it, as far as the saga knows. */
final class RunDiagram {

    private final SagaState saga;
    private final List<SagaStepRecord> steps;
    private final Map<String, String> participants = new LinkedHashMap<>();
    private final MermaidText text = new MermaidText("sequenceDiagram");

    RunDiagram(SagaState saga) {
        this.saga = saga;
        this.steps = saga.stepsInOrder();
        steps.forEach(step -> participants.putIfAbsent(step.service(), "service" + participants.size()));
        participants.putIfAbsent(saga.service(), "service" + participants.size());
    }

    String draw() {
        participants.forEach((service, id) -> text.line(1, "participant " + id + " as " + escape(service)));
        List<Entry> entries = entries();
        Instant start = entries.isEmpty() ? Instant.EPOCH : entries.get(0).at();
        entries.forEach(entry -> entry.lines().forEach(line -> text.line(1, line + offset(start, entry.at()))));
        note("status " + saga.status());
        saga.expected()
                .forEach(event -> text.line(
                        1, "Note over " + participant(event.service()) + ": awaiting " + escape(event.eventType())));
        saga.attentionReason().ifPresent(reason -> note("attention: " + reason));
        return text.toString();
    }

    private static String offset(Instant start, Instant at) {
        return " (+" + Duration.between(start, at).toMillis() + " ms)";
    }

    private List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (SagaStepRecord step : steps) {
            if (step.execution() != null) {
                addOrchestrated(entries, step, step.execution());
                continue;
            }
            add(entries, step, step.done(), done(step));
            add(entries, step, step.failed(), List.of(arrow(step, "-x", saga.service())));
            add(entries, step, step.undone(), undone(step));
            add(entries, step, step.withdrawn(), List.of(arrow(step, "-->>", saga.service())));
            addNote(entries, step.skipped(), "skipped " + step.name());
        }
        addNote(entries, saga.milestones().timedOut(), "deadline passed");
        addNote(entries, saga.milestones().cancelRequested(), "compensation requested");
        addNote(entries, saga.milestones().gaveUp(), "given up");
        entries.sort(Comparator.comparing(Entry::at)); // stable: step order for equal times
        return entries;
    }

    /** The orchestrator sends commands and gets replies. What it does itself is a note. */
    private void addOrchestrated(List<Entry> entries, SagaStepRecord step, StepExecution execution) {
        if (step.service().equals(saga.service())) {
            addNote(entries, step.done(), step.name());
            addNote(entries, step.failed(), step.name() + " failed");
            addNote(entries, step.undone(), step.name() + " undone");
        } else {
            String orchestrator = participant(saga.service());
            String command = orchestrator + "->>" + participant(step.service()) + ": ";
            add(entries, step, execution.sent(), List.of(command));
            add(entries, step, step.done(), List.of(arrow(step, "-->>", saga.service())));
            add(entries, step, step.failed(), List.of(arrow(step, "-x", saga.service())));
            add(entries, step, execution.undoSent(), List.of(command));
            add(entries, step, step.undone(), List.of(arrow(step, "-->>", saga.service())));
            add(entries, step, step.withdrawn(), List.of(arrow(step, "-->>", saga.service())));
        }
        addNote(entries, step.skipped(), "skipped " + step.name());
    }

    private static void add(List<Entry> entries, SagaStepRecord step, @Nullable SagaFact fact, List<String> arrows) {
        if (fact != null) {
            String name = escape(Objects.requireNonNullElse(fact.eventType(), step.name()));
            entries.add(new Entry(
                    fact.at(), arrows.stream().map(arrow -> arrow + name).toList()));
        }
    }

    private void addNote(List<Entry> entries, @Nullable SagaFact fact, String what) {
        if (fact != null) {
            String reason = fact.reason() == null ? "" : ", " + fact.reason();
            entries.add(new Entry(
                    fact.at(), List.of("Note over " + participant(saga.service()) + ": " + escape(what + reason))));
        }
    }

    /** The next step's service reacts to a success. */
    private List<String> done(SagaStepRecord step) {
        String receiver = steps.stream()
                .filter(next -> next.stepNumber() > step.stepNumber())
                .findFirst()
                .map(SagaStepRecord::service)
                .orElse(saga.service());
        return List.of(arrow(step, "->>", receiver));
    }

    /** Every other service reacts to the compensation of step 0; other compensations only inform the tracker. */
    private List<String> undone(SagaStepRecord step) {
        List<String> receivers = participants.keySet().stream()
                .filter(service -> step.stepNumber() == 0 && !service.equals(step.service()))
                .toList();
        return (receivers.isEmpty() ? List.of(saga.service()) : receivers)
                .stream().map(receiver -> arrow(step, "-->>", receiver)).toList();
    }

    private String arrow(SagaStepRecord step, String kind, String receiver) {
        return participant(step.service()) + kind + participant(receiver) + ": ";
    }

    private void note(String what) {
        text.line(1, "Note over " + participant(saga.service()) + ": " + escape(what));
    }

    private String participant(String service) {
        return Objects.requireNonNull(participants.get(service));
    }

    /** What happened at one time. */
    private record Entry(Instant at, List<String> lines) {}
}
