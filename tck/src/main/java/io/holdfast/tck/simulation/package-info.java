/**
 * A simulation that checks the guarantees as properties: two services of two replicas each and a wire between them,
 * driven step by step on one thread and crashed at every commit point. At the end, the logs and views of both services
 * must match.
 */
@NullMarked
package io.holdfast.tck.simulation;

import org.jspecify.annotations.NullMarked;
