package io.tollgrid.node.config;

/**
 * A value stated on the command line.
 *
 * @param key the setting it is for
 * @param text the value
 * @param option the option that stated it, for messages
 */
public record Stated(String key, String text, String option) {}
