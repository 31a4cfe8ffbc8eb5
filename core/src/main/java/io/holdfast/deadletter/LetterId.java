package io.holdfast.deadletter;

/** One letter of one sequence. */
public record LetterId(SequenceId sequence, long number) {}
