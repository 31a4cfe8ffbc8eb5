/** The saga that fulfills an order. The services share this declaration, and no other code of their domains. */
@NullMarked
package io.holdfast.examples.shop.fulfillment;

import org.jspecify.annotations.NullMarked;
