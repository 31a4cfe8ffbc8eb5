/**
 * Projections: rows across aggregates, changed by pure updates that the committer runs on the newest row.
 */
@NullMarked
package io.holdfast.view;

import org.jspecify.annotations.NullMarked;
