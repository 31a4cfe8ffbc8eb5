@NullMarked
package io.holdfast.eventsourcing;

import org.jspecify.annotations.NullMarked;
