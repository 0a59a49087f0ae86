package io.tollgrid.client.config;

/**
 * A value stated in words elsewhere than in the file or the environment, as on a command line.
 *
 * @param key the setting it is for
 * @param text the value
 * @param option the option that stated it, for messages
 */
public record Stated(String key, String text, String option) {}
