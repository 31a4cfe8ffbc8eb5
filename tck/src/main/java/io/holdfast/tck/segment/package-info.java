/** Contract kits of segments: claiming, splitting, merging, resetting, and crashing at every commit point. */
@NullMarked
package io.holdfast.tck.segment;

import org.jspecify.annotations.NullMarked;
