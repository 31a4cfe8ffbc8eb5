/**
 * Views: rows across aggregates, which projections change by pure updates. The committer applies them to the newest
 * row.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.view;

import org.jspecify.annotations.NullMarked;
