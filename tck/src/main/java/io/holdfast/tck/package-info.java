/**
 * Contract kits: one abstract class per port, with a nested class per duty. An adapter runs a kit through a top-level
 * class whose name ends in {@code Tests}, which extends the kit and provides a harness.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
