/**
 * How far a consumer has come, who works on it, and how a worker that lost its lease is kept out.
 */
@NullMarked
package io.holdfast.token;

import org.jspecify.annotations.NullMarked;
