package io.tollgrid.verification.house.sample.node;

/** The server of the sample. */
public record Node() {}
