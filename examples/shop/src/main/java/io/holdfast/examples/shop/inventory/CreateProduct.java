package io.holdfast.examples.shop.inventory;

import io.holdfast.examples.shop.web.ShortText;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The request to create a product.
 *
 * @param backorder whether orders wait for a restock if stock is insufficient; false by default
 * @param replenish whether the replenishment monitor keeps the stock above the reorder point; false by default
 */
record CreateProduct(
        @NotNull @ShortText String sku,
        @NotNull @ShortText String name,
        @NotNull
                @DecimalMin("0.01")
                @DecimalMax("1000000")
                @Digits(integer = 7, fraction = 2, message = "must have at most two decimals")
                BigDecimal price,
        @NotNull @Min(0) @Max(ReplenishStock.MAX_QUANTITY) Integer quantityOnHand,
        @Nullable Boolean backorder,
        @Nullable Boolean replenish) {

    ProductCreated toEvent(String productId) {
        return new ProductCreated(
                productId,
                sku,
                name,
                price,
                quantityOnHand,
                Boolean.TRUE.equals(backorder),
                Boolean.TRUE.equals(replenish));
    }

    /** @return whether the product may be the result of an identical request; ignores the stock, which changes */
    boolean matches(Product product) {
        return product.sku().equals(sku)
                && product.name().equals(name)
                && product.price().compareTo(price) == 0
                && product.backorder() == Boolean.TRUE.equals(backorder)
                && product.replenish() == Boolean.TRUE.equals(replenish);
    }
}
