package io.holdfast.saga;

/** Draws sagas as Mermaid diagrams. The same saga always gives the same text. */
public final class SagaDiagrams {

    private SagaDiagrams() {}

    /** Returns a {@code stateDiagram-v2} of a saga type: its steps, what can fail, and how it is compensated. */
    public static String ofType(Choreography type) {
        return new TypeDiagram(type).draw();
    }

    /** Returns a {@code sequenceDiagram} of one saga: its facts in the order of their times, and what it awaits. */
    public static String ofRun(SagaState saga) {
        return new RunDiagram(saga).draw();
    }
}
