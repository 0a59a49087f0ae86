-- The ledger: accounts, their leases, and everything one transition writes beside them.
--
-- Times are bigint nanoseconds since the epoch, units are bigint, ids are uuid (compared as unsigned 128-bit numbers).
-- A smallint that stands for a name is the position of a constant in a Java enum whose order may only grow.
-- A month is the integer yyyymm, in UTC, of the moment the store recorded the row.
--
-- Every CHECK below states what the Java constructors state. A row that breaks one is corruption: the database refuses to
-- hold it (R7). Foreign keys are left out on purpose: a committer writes account and lease in one transaction under the
-- account's row lock, nothing is ever deleted, and `tollgrid verify` looks for orphans.

CREATE TABLE ledger_settings (
  name  text PRIMARY KEY,
  value text NOT NULL
);

-- The fence at rest of each ledger partition: whoever holds an older one may not write (architecture §3.4).
CREATE TABLE ledger_partition (
  id    integer PRIMARY KEY CONSTRAINT ledger_partition_id_not_negative CHECK (id >= 0),
  fence bigint NOT NULL CONSTRAINT ledger_partition_fence_not_negative CHECK (fence >= 0)
) WITH (fillfactor = 50);

CREATE TABLE account (
  id                  uuid PRIMARY KEY,
  version             bigint NOT NULL,
  as_of               bigint NOT NULL,

  -- the books (R10)
  deposited           bigint NOT NULL DEFAULT 0,
  overage             bigint NOT NULL DEFAULT 0,
  allowance           bigint NOT NULL DEFAULT 0,
  top_up              bigint NOT NULL DEFAULT 0,
  outstanding         bigint NOT NULL DEFAULT 0,
  billed              bigint NOT NULL DEFAULT 0,
  loss_resident       bigint NOT NULL DEFAULT 0,
  loss_archived       bigint NOT NULL DEFAULT 0,
  expired             bigint NOT NULL DEFAULT 0,
  unfunded            bigint NOT NULL DEFAULT 0,
  next_fence          bigint NOT NULL DEFAULT 1,

  -- the account policy (R18)
  policy_generation   bigint NOT NULL,
  status              smallint NOT NULL,
  capacity_class      smallint NOT NULL,
  mode                smallint NOT NULL,
  overage_cap         bigint NOT NULL,
  requests_per_second bigint NOT NULL,
  burst_requests      bigint NOT NULL,
  units_per_second    bigint NOT NULL,
  burst_units         bigint NOT NULL,
  concurrency_ceiling bigint NOT NULL,
  ever_elastic        boolean NOT NULL,

  -- the budget period (R14)
  period_number       bigint NOT NULL,
  period_end          bigint NOT NULL,
  schedule_kind       smallint,
  schedule_zone       text,
  schedule_anchor_day smallint,
  schedule_amount     bigint,
  change_pending      boolean NOT NULL,
  next_kind           smallint,
  next_zone           text,
  next_anchor_day     smallint,
  next_amount         bigint,
  funded_day          bigint NOT NULL,
  funded_week         bigint NOT NULL,
  funded_month        bigint NOT NULL,

  CONSTRAINT account_version_positive CHECK (version >= 1),
  CONSTRAINT account_next_fence_positive CHECK (next_fence >= 1),
  CONSTRAINT account_not_negative CHECK (
    deposited >= 0 AND overage >= 0 AND allowance >= 0 AND top_up >= 0 AND outstanding >= 0 AND billed >= 0
    AND loss_resident >= 0 AND loss_archived >= 0 AND expired >= 0 AND unfunded >= 0),
  -- numeric, so that no sum can wrap or overflow before it is compared
  CONSTRAINT account_conserved CHECK (
    deposited::numeric + overage
      = allowance::numeric + top_up + outstanding + billed + loss_resident + loss_archived + expired),
  CONSTRAINT account_books_fit CHECK (deposited::numeric + overage <= 9223372036854775807),

  CONSTRAINT account_policy_generation_positive CHECK (policy_generation >= 1),
  CONSTRAINT account_status_known CHECK (status BETWEEN 0 AND 2),
  CONSTRAINT account_capacity_class_known CHECK (capacity_class BETWEEN 0 AND 1),
  CONSTRAINT account_mode_known CHECK (mode BETWEEN 0 AND 1),
  CONSTRAINT account_terms_not_negative CHECK (
    overage_cap >= 0 AND concurrency_ceiling >= 0 AND requests_per_second >= 0 AND burst_requests >= 0
    AND units_per_second >= 0 AND burst_units >= 0),
  CONSTRAINT account_strict_has_no_overage_cap CHECK (mode <> 0 OR overage_cap = 0),
  CONSTRAINT account_rate_has_burst CHECK (
    (requests_per_second = 0) = (burst_requests = 0) AND (units_per_second = 0) = (burst_units = 0)),
  CONSTRAINT account_elastic_is_remembered CHECK (mode = 0 OR ever_elastic),

  CONSTRAINT account_period_not_negative CHECK (period_number >= 0),
  CONSTRAINT account_period_ends_by_schedule CHECK (
    (schedule_kind IS NULL) = (period_end = 9223372036854775807)),
  CONSTRAINT account_schedule_whole CHECK (
    num_nulls(schedule_kind, schedule_zone, schedule_anchor_day, schedule_amount) IN (0, 4)),
  CONSTRAINT account_schedule_possible CHECK (
    schedule_kind IS NULL
    OR (schedule_kind BETWEEN 0 AND 2 AND schedule_amount >= 0 AND schedule_anchor_day BETWEEN 1 AND 31
        AND (schedule_kind = 2 OR schedule_anchor_day = 1))),
  CONSTRAINT account_change_needs_schedule CHECK (NOT change_pending OR schedule_kind IS NOT NULL),
  CONSTRAINT account_next_schedule_whole CHECK (
    num_nulls(next_kind, next_zone, next_anchor_day, next_amount) IN (0, 4)
    AND (change_pending OR next_kind IS NULL)),
  CONSTRAINT account_next_schedule_possible CHECK (
    next_kind IS NULL
    OR (next_kind BETWEEN 0 AND 2 AND next_amount >= 0 AND next_anchor_day BETWEEN 1 AND 31
        AND (next_kind = 2 OR next_anchor_day = 1)))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Accounts whose boundary is due, oldest first (R19). Only a crossing moves period_end, so other updates stay HOT.
CREATE INDEX account_due ON account (period_end) WHERE schedule_kind IS NOT NULL;

CREATE TABLE lease (
  account            uuid NOT NULL,
  id                 uuid NOT NULL,
  holder             uuid NOT NULL,
  fence              bigint NOT NULL,
  body_hash          uuid NOT NULL,
  period_number      bigint NOT NULL,
  granted_allowance  bigint NOT NULL,
  granted_top_up     bigint NOT NULL,
  returned_allowance bigint NOT NULL DEFAULT 0,
  returned_top_up    bigint NOT NULL DEFAULT 0,
  billed             bigint NOT NULL DEFAULT 0,
  loss               bigint NOT NULL DEFAULT 0,
  state              smallint NOT NULL DEFAULT 0,
  first_expires_at   bigint NOT NULL,
  expires_at         bigint NOT NULL,
  grace              bigint NOT NULL,
  ended_at           bigint NOT NULL DEFAULT 0,

  -- the last step its holder took, with its receipt; all null before the first
  step_number        bigint,
  step_kind          smallint,
  step_argument      bigint,
  step_restored      bigint,
  step_expired       bigint,
  step_loss          bigint,
  step_expires_at    bigint,

  CONSTRAINT lease_pkey PRIMARY KEY (account, id),
  -- fence first, so that nobody looks an account's leases up through it: the two indexes that begin with the account
  -- are for one lease and for the resident ones, and no plan can mistake one for the other
  CONSTRAINT lease_fence_unique UNIQUE (fence, account),
  CONSTRAINT lease_fence_positive CHECK (fence >= 1),
  CONSTRAINT lease_granted CHECK (
    granted_allowance >= 0 AND granted_top_up >= 0 AND granted_allowance <= 9223372036854775807 - granted_top_up),
  CONSTRAINT lease_returned CHECK (
    returned_allowance BETWEEN 0 AND granted_allowance AND returned_top_up BETWEEN 0 AND granted_top_up),
  CONSTRAINT lease_bounded CHECK (
    billed >= 0 AND loss >= 0
    AND billed <= (granted_allowance - returned_allowance) + (granted_top_up - returned_top_up)
    AND loss <= (granted_allowance - returned_allowance) + (granted_top_up - returned_top_up) - billed),
  CONSTRAINT lease_loss_fits_state CHECK (
    CASE state WHEN 0 THEN loss = 0 WHEN 1 THEN loss > 0 WHEN 2 THEN loss > 0 WHEN 3 THEN loss = 0 ELSE false END),
  CONSTRAINT lease_ended_is_accounted CHECK (
    state = 0 OR loss = (granted_allowance - returned_allowance) + (granted_top_up - returned_top_up) - billed),
  CONSTRAINT lease_window CHECK (
    expires_at >= first_expires_at AND grace >= 0 AND expires_at <= 9223372036854775807 - grace),
  CONSTRAINT lease_step_whole CHECK (
    num_nulls(step_number, step_kind, step_argument, step_restored, step_expired, step_loss, step_expires_at) IN (0, 7)
    AND (step_kind IS NULL OR step_kind BETWEEN 0 AND 2))
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);

-- What a load reads: active leases and resident losses, however many ended leases the account has had.
CREATE INDEX lease_resident ON lease (account) WHERE state <= 1;
-- What a reclaim sweep reads, oldest due first (R12, R19).
CREATE INDEX lease_due ON lease ((expires_at + grace)) WHERE state = 0;

-- Operator commands that took effect, with their receipts (R16).
CREATE TABLE command (
  account   uuid NOT NULL,
  id        uuid NOT NULL,
  body_hash uuid NOT NULL,
  version   bigint NOT NULL CONSTRAINT command_version_positive CHECK (version >= 1),
  outcome   bytea NOT NULL,
  CONSTRAINT command_pkey PRIMARY KEY (account, id)
);

-- Units added to a balance; an account's rows sum to its `deposited`.
CREATE TABLE deposit (
  account uuid NOT NULL,
  version bigint NOT NULL,
  source  smallint NOT NULL CONSTRAINT deposit_source_known CHECK (source BETWEEN 0 AND 2),
  units   bigint NOT NULL CONSTRAINT deposit_units_positive CHECK (units > 0),
  CONSTRAINT deposit_pkey PRIMARY KEY (account, version, source)
);

-- Every transition that moved an account: who asked what, what was answered, the numbers afterwards (the numbers before
-- are the previous version's). Append-only; replaying `request` from the first version reproduces the account.
CREATE TABLE journal (
  month             integer NOT NULL,
  account           uuid NOT NULL,
  version           bigint NOT NULL,
  command_id        uuid,
  actor             text NOT NULL,
  request           bytea NOT NULL,
  outcome           bytea NOT NULL,
  ledger_time       bigint NOT NULL,
  recorded_at       bigint NOT NULL,
  deposited         bigint NOT NULL,
  overage           bigint NOT NULL,
  allowance         bigint NOT NULL,
  top_up            bigint NOT NULL,
  outstanding       bigint NOT NULL,
  billed            bigint NOT NULL,
  loss_resident     bigint NOT NULL,
  loss_archived     bigint NOT NULL,
  expired           bigint NOT NULL,
  unfunded          bigint NOT NULL,
  next_fence        bigint NOT NULL,
  policy_generation bigint NOT NULL,
  period_number     bigint NOT NULL,
  CONSTRAINT journal_pkey PRIMARY KEY (account, version, month),
  CONSTRAINT journal_version_positive CHECK (version >= 1)
) PARTITION BY RANGE (month);
CREATE TABLE journal_default PARTITION OF journal DEFAULT;

-- The usage ledger (R20, R23): one row per accepted event and one per credit. Append-only; `usage_request` below is what
-- makes an event unique.
CREATE TABLE usage_event (
  month           integer NOT NULL,
  recorded_at     bigint NOT NULL,
  account         uuid NOT NULL,
  version         bigint NOT NULL,
  kind            smallint NOT NULL,
  request_id      uuid NOT NULL,
  part            integer NOT NULL,
  units           bigint NOT NULL,
  period_number   bigint NOT NULL,
  -- of an event
  role            smallint,
  verdict         smallint,
  funding         smallint,
  lease_id        uuid,
  lease_fence     bigint,
  requests        bigint,
  meters          jsonb,
  key_id          uuid,
  policy_revision bytea,
  occurred_at     bigint,
  writer          uuid,
  sequence        bigint,
  -- of a credit
  command_id      uuid,
  CONSTRAINT usage_event_not_negative CHECK (part >= 0 AND units >= 0 AND period_number >= 0),
  CONSTRAINT usage_event_whole CHECK (
    CASE kind
      WHEN 0 THEN num_nulls(role, verdict, funding, requests, occurred_at, writer, sequence) = 0
        AND command_id IS NULL AND role BETWEEN 0 AND 1 AND verdict BETWEEN 0 AND 3 AND requests >= 1 AND sequence >= 1
      WHEN 1 THEN command_id IS NOT NULL AND units >= 1
        AND num_nonnulls(role, verdict, funding, lease_id, lease_fence, requests, meters, key_id, policy_revision,
                         occurred_at, writer, sequence) = 0
      ELSE false
    END),
  CONSTRAINT usage_event_funding CHECK (
    CASE funding WHEN 0 THEN num_nulls(lease_id, lease_fence) = 0
                 WHEN 1 THEN num_nonnulls(lease_id, lease_fence) = 0
                 WHEN 2 THEN num_nonnulls(lease_id, lease_fence) = 0
                 ELSE funding IS NULL END),
  CONSTRAINT usage_event_policy_revision CHECK (octet_length(policy_revision) = 32)
) PARTITION BY RANGE (month);
CREATE TABLE usage_event_default PARTITION OF usage_event DEFAULT;

-- Which delivery of each part was accepted, and what it was billed (R20). The id is time-ordered, so its own bits say
-- which month it belongs to.
CREATE TABLE usage_request (
  account    uuid NOT NULL,
  request_id uuid NOT NULL,
  part       integer NOT NULL,
  writer     uuid NOT NULL,
  sequence   bigint NOT NULL,
  verdict    smallint NOT NULL,
  units      bigint NOT NULL,
  credited   bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_request_pkey PRIMARY KEY (account, request_id, part),
  CONSTRAINT usage_request_part_not_negative CHECK (part >= 0),
  CONSTRAINT usage_request_sequence_positive CHECK (sequence >= 1),
  CONSTRAINT usage_request_accepted CHECK (verdict BETWEEN 0 AND 3),
  CONSTRAINT usage_request_units_not_negative CHECK (units >= 0),
  -- all credits of a part together never exceed what was billed for it; what nothing funded was not billed (R23)
  CONSTRAINT usage_request_credit_bounded CHECK (
    credited BETWEEN 0 AND units AND (verdict <> 3 OR credited = 0))
) PARTITION BY RANGE (request_id);
CREATE TABLE usage_request_default PARTITION OF usage_request DEFAULT;

-- Events that were rejected: spend nobody paid for, kept with its reason (R20).
CREATE TABLE usage_rejected (
  account         uuid NOT NULL,
  writer          uuid NOT NULL,
  sequence        bigint NOT NULL,
  verdict         smallint NOT NULL,
  recorded_at     bigint NOT NULL,
  version         bigint NOT NULL,
  request_id      uuid NOT NULL,
  part            integer NOT NULL,
  units           bigint NOT NULL,
  period_number   bigint NOT NULL,
  role            smallint NOT NULL,
  funding         smallint NOT NULL,
  lease_id        uuid,
  lease_fence     bigint,
  requests        bigint NOT NULL,
  meters          jsonb,
  key_id          uuid,
  policy_revision bytea,
  occurred_at     bigint NOT NULL,
  CONSTRAINT usage_rejected_pkey PRIMARY KEY (account, writer, sequence),
  CONSTRAINT usage_rejected_reason_known CHECK (verdict BETWEEN 5 AND 11),
  CONSTRAINT usage_rejected_not_negative CHECK (part >= 0 AND units >= 0 AND sequence >= 1 AND requests >= 1)
);
