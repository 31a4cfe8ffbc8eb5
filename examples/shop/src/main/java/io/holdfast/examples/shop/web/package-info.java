/**
 * The web layer that the services of the shop share: input validation, problem details and event histories. It contains
 * no business logic.
 */
@NullMarked
package io.holdfast.examples.shop.web;

import org.jspecify.annotations.NullMarked;
