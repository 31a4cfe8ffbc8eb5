package io.holdfast.admin.gateway;

/**
 * A question that every service with this module answers. Question and answer are records, and travel as JSON: a service
 * of another version ignores properties that it does not know.
 *
 * @param name unique among the operations of a service
 */
public record Endpoint<Q, A>(String name, Class<Q> question, Class<A> answer) {}
