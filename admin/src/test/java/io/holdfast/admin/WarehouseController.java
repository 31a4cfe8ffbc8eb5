package io.holdfast.admin;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.service.HoldfastService;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A controller of the application. Throws what application code may throw. */
@RestController
public class WarehouseController {

    private final HoldfastService service;

    WarehouseController(HoldfastService service) {
        this.service = service;
    }

    @GetMapping("/own/busy")
    String busy() {
        throw new CommitterBusyException(1_000);
    }

    @GetMapping("/own/order/{key}")
    String order(@PathVariable("key") String key) {
        Warehouse.order(service, key, "pen");
        return "ordered";
    }

    @GetMapping("/own/rejected")
    String rejected() {
        throw new PermanentException("the customer is unknown");
    }
}
