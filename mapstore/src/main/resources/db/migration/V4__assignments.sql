-- Assignments: the plan of all subjects whose names begin alike, and the subjects that were introduced by name (R50, R51).

-- Every generation an assignment ever had; the newest is in force. Append-only, but for how far its subjects have followed.
CREATE TABLE assignment (
  prefix              text NOT NULL CONSTRAINT assignment_prefix_fits CHECK (char_length(prefix) <= 256),
  generation          bigint NOT NULL CONSTRAINT assignment_generation_positive CHECK (generation >= 1),
  -- null: withdrawn
  plan                text CONSTRAINT assignment_plan_fits CHECK (char_length(plan) BETWEEN 1 AND 64),
  concurrency_ceiling bigint NOT NULL CONSTRAINT assignment_ceiling_not_negative CHECK (concurrency_ceiling >= 0),
  published_at        bigint NOT NULL,
  -- principals above this one may still have a snapshot derived from what was before; null once none has
  pending_after       uuid,
  -- how often all of them were to be derived anew
  pending_round       bigint NOT NULL DEFAULT 0 CONSTRAINT assignment_round_not_negative CHECK (pending_round >= 0),
  CONSTRAINT assignment_pkey PRIMARY KEY (prefix, generation)
);

CREATE INDEX assignment_pending ON assignment (prefix, generation) WHERE pending_after IS NOT NULL;

CREATE TABLE assignment_leg (
  prefix     text NOT NULL,
  generation bigint NOT NULL,
  position   integer NOT NULL CONSTRAINT assignment_leg_position CHECK (position BETWEEN 0 AND 7),
  -- null: the subject's own, whose id is its principal
  account    uuid,
  -- none: every meter
  meters     text[] NOT NULL,
  CONSTRAINT assignment_leg_pkey PRIMARY KEY (prefix, generation, position),
  CONSTRAINT assignment_leg_of_assignment FOREIGN KEY (prefix, generation) REFERENCES assignment (prefix, generation)
);

-- Names are personal data.
CREATE TABLE subject (
  principal uuid PRIMARY KEY,
  name      text NOT NULL CONSTRAINT subject_name_fits CHECK (char_length(name) BETWEEN 1 AND 256),
  -- of the assignment that what is on record about the principal was derived from; null: no assignment's
  prefix    text CONSTRAINT subject_is_under_its_prefix CHECK (starts_with(name, prefix)),
  CONSTRAINT subject_principal_is_its_hash CHECK (
    principal = encode(substring(sha256(convert_to(name, 'UTF8')) FOR 16), 'hex')::uuid)
);
