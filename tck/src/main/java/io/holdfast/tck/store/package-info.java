/** Contract kits of the durable ports: log, committer, outbox, tokens, views, consumer groups, idempotency. */
@NullMarked
package io.holdfast.tck.store;

import org.jspecify.annotations.NullMarked;
