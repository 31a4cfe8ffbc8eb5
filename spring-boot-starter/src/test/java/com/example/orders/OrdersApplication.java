package com.example.orders;

import io.holdfast.aggregate.AggregateType;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class OrdersApplication {

    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }

    /** Declares that this service owns the stream of orders and stores them as events. */
    @Bean
    AggregateType<Order> orders() {
        return Order.TYPE;
    }
}
