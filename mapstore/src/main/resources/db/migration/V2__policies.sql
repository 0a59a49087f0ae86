-- Policies: plans and principal snapshots, as operators publish them and instances read them.
--
-- What accounts say of themselves (status, rates, ceilings) stays in `account`, which the ledger alone writes (R18).
-- Generations are allocated here, under the lock of what is published (R37).

-- Every generation a plan ever had; the newest is in force. Append-only: usage names revisions.
CREATE TABLE plan (
  name         text NOT NULL,
  generation   bigint NOT NULL CONSTRAINT plan_generation_positive CHECK (generation >= 1),
  revision     bytea NOT NULL CONSTRAINT plan_revision_bits CHECK (octet_length(revision) = 32),
  -- null allows everything
  routes       text[],
  work         text[],
  published_at bigint NOT NULL,
  CONSTRAINT plan_pkey PRIMARY KEY (name, generation),
  CONSTRAINT plan_name_fits CHECK (char_length(name) BETWEEN 1 AND 64)
);

CREATE TABLE plan_operation (
  plan           text NOT NULL,
  generation     bigint NOT NULL,
  position       integer NOT NULL CONSTRAINT plan_operation_position_not_negative CHECK (position >= 0),
  name           text NOT NULL,
  estimate_items bigint NOT NULL,
  maximum_items  bigint NOT NULL,
  billing        smallint NOT NULL CONSTRAINT plan_operation_billing_known CHECK (billing BETWEEN 0 AND 1),
  longest        bigint NOT NULL CONSTRAINT plan_operation_ends CHECK (longest > 0),
  CONSTRAINT plan_operation_pkey PRIMARY KEY (plan, generation, position),
  CONSTRAINT plan_operation_once UNIQUE (plan, generation, name),
  CONSTRAINT plan_operation_of_plan FOREIGN KEY (plan, generation) REFERENCES plan (name, generation),
  CONSTRAINT plan_operation_items CHECK (estimate_items >= 1 AND maximum_items >= estimate_items)
);

CREATE TABLE plan_price (
  plan           text NOT NULL,
  generation     bigint NOT NULL,
  operation      integer NOT NULL,
  position       integer NOT NULL CONSTRAINT plan_price_position_not_negative CHECK (position >= 0),
  meter          text NOT NULL,
  fixed_units    bigint NOT NULL,
  units_per_item bigint NOT NULL,
  minimum_units  bigint NOT NULL,
  CONSTRAINT plan_price_pkey PRIMARY KEY (plan, generation, operation, position),
  CONSTRAINT plan_price_once UNIQUE (plan, generation, operation, meter),
  CONSTRAINT plan_price_of_operation FOREIGN KEY (plan, generation, operation)
    REFERENCES plan_operation (plan, generation, position),
  CONSTRAINT plan_price_not_negative CHECK (fixed_units >= 0 AND units_per_item >= 0 AND minimum_units >= 0)
);

-- What is on record about each principal: its snapshot, or that it was revoked.
CREATE TABLE snapshot (
  principal           uuid PRIMARY KEY,
  generation          bigint NOT NULL CONSTRAINT snapshot_generation_positive CHECK (generation >= 1),
  revoked             boolean NOT NULL,
  plan                text,
  concurrency_ceiling bigint NOT NULL CONSTRAINT snapshot_ceiling_not_negative CHECK (concurrency_ceiling >= 0),
  published_at        bigint NOT NULL,
  CONSTRAINT snapshot_whole CHECK (revoked = (plan IS NULL))
);

CREATE TABLE snapshot_leg (
  principal uuid NOT NULL CONSTRAINT snapshot_leg_of_snapshot REFERENCES snapshot (principal),
  position  integer NOT NULL,
  account   uuid NOT NULL,
  -- none: every meter
  meters    text[] NOT NULL,
  CONSTRAINT snapshot_leg_pkey PRIMARY KEY (principal, position),
  CONSTRAINT snapshot_leg_position CHECK (position >= 0)
);

-- Who is paid for by an account.
CREATE INDEX snapshot_leg_account ON snapshot_leg (account);
