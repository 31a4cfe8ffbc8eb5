/** What an adapter implements to run the kits, and what the kits share: crash points, failing stores, sample data. */
@NullMarked
package io.holdfast.tck.harness;

import org.jspecify.annotations.NullMarked;
