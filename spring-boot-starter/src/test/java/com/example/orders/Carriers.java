package com.example.orders;

import io.holdfast.NonRetryableException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

@Component
class Carriers {

    private volatile int largest;

    Carriers(@Value("${carriers.largest:100}") int largest) {
        this.largest = largest;
    }

    String find(int quantity) {
        if (quantity > largest) {
            throw new NoCarrierException(quantity);
        }
        return "by-boat";
    }

    /** Non-retryable: an operator has to charter a larger boat. */
    static class NoCarrierException extends RuntimeException implements NonRetryableException {

        private static final long serialVersionUID = 1L;

        NoCarrierException(int quantity) {
            super("no carrier takes " + quantity);
        }
    }

    void charter(int quantity) {
        largest = quantity;
    }
}
