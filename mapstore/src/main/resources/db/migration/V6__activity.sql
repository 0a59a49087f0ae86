-- When a credential was last used by an event that was accepted (R24): the latest of its rows, in microseconds since the
-- epoch. Every lane of a committer raises rows of its own. Nothing is decided by it.
CREATE TABLE credential_activity (
  key_id       uuid NOT NULL,
  lane         smallint NOT NULL CONSTRAINT credential_activity_lane CHECK (lane BETWEEN 0 AND 63),
  last_used_us bigint NOT NULL,
  CONSTRAINT credential_activity_pkey PRIMARY KEY (key_id, lane)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
