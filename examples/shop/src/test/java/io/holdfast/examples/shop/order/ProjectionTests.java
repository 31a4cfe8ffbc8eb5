package io.holdfast.examples.shop.order;

import io.holdfast.fixture.Scenario;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class ProjectionTests {

    @Test
    void catalogueStoresNameAndPriceOfAProduct() {
        Scenario.givenNothing()
                .when(
                        new Catalogue().products().component().build(),
                        "products",
                        "tea",
                        new Catalogue.ProductCreated("tea", "Green tea", new BigDecimal("4.99")))
                .thenRow(Catalogue.PRODUCTS, "tea", new Catalogue.ProductRow("Green tea", new BigDecimal("4.99")));
    }

    @Test
    void customersAreStoredById() {
        Scenario.givenNothing()
                .when(
                        new Catalogue().customers().component().build(),
                        "customers",
                        "c-1",
                        new Catalogue.CustomerCreated("c-1", "Ada"))
                .thenRow(Catalogue.CUSTOMERS, "c-1", new Catalogue.CustomerRow("Ada"));
    }
}
