package com.example.orders;

record OrderShipped(String carrier) {}
