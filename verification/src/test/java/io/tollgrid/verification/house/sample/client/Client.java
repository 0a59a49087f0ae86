package io.tollgrid.verification.house.sample.client;

/** What a service embeds. */
public record Client() {}
