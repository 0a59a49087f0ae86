package io.tollgrid.verification.bench;

import java.util.Map;

/**
 * One measured figure.
 *
 * @param value the median over the rounds
 * @param goal what it should reach
 * @param met whether it does
 * @param detail the numbers behind it, by name
 */
public record Figure(double value, double goal, boolean met, Map<String, Object> detail) {}
