/**
 * Contract kits: one abstract class per port, with a nested class per duty. An adapter passes a kit by a top-level class
 * whose name ends in {@code Tests}, which extends the kit and gives it a harness.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
