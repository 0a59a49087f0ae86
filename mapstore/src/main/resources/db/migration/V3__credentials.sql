-- Credentials: digests of secrets, and for whom each speaks (R43, R44). A secret itself is nowhere.

-- The revision of the whole set: every change of a credential raises it, so that pages read apart are known apart.
CREATE TABLE credential_set (
  one      boolean PRIMARY KEY CONSTRAINT credential_set_is_one CHECK (one),
  revision bigint NOT NULL CONSTRAINT credential_set_revision_not_negative CHECK (revision >= 0)
);
INSERT INTO credential_set VALUES (true, 0);

CREATE TABLE credential (
  key_id     uuid PRIMARY KEY,
  digest     bytea NOT NULL CONSTRAINT credential_digest_unique UNIQUE
    CONSTRAINT credential_digest_bits CHECK (octet_length(digest) = 32),
  principal  uuid,
  prefix     text,
  issued_at  bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- once and for all
  retired_at bigint,
  CONSTRAINT credential_speaks_for_one_or_many CHECK ((principal IS NULL) <> (prefix IS NULL)),
  CONSTRAINT credential_prefix_fits CHECK (char_length(prefix) BETWEEN 1 AND 256),
  CONSTRAINT credential_expires_after_issue CHECK (expires_at > issued_at)
);

-- What instances read, page by page.
CREATE INDEX credential_in_force ON credential (key_id) WHERE retired_at IS NULL;
