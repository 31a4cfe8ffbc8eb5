package io.holdfast.deadletter;

/** Identifies a letter within its sequence. */
public record LetterId(SequenceId sequence, long number) {}
