package com.example.orders;

record OrderPlaced(String product, int quantity) {}
