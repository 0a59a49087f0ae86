package io.tollgrid.client;

import io.tollgrid.client.config.ConfigException;

/**
 * Names settings as a configuration does, so that a refusal says what to change (R42).
 *
 * @param section the part of the configuration they are in
 */
record Setting(String section) {
  void require(final boolean holds, final String key, final String needed) {
    if (!holds) {
      throw new ConfigException(section + "." + key + ": must " + needed);
    }
  }
}
