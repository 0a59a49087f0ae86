-- What instances denied, by the minute (R50): best effort, for whoever asks why. A row is one entry of one report; a report
-- that is repeated adds nothing.
CREATE TABLE denial_minute (
  -- of recording
  month      integer NOT NULL,
  writer     uuid NOT NULL,
  report     bigint NOT NULL CONSTRAINT denial_minute_report_positive CHECK (report >= 1),
  position   integer NOT NULL CONSTRAINT denial_minute_position_not_negative CHECK (position >= 0),
  -- since the epoch
  minute     bigint NOT NULL CONSTRAINT denial_minute_not_negative CHECK (minute >= 0),
  -- null: no account caused it
  account    uuid,
  -- null: nobody who is known
  principal  uuid,
  reason     text NOT NULL CONSTRAINT denial_minute_reason_is_a_label CHECK (reason ~ '^[A-Z_]{1,64}$'),
  denials    bigint NOT NULL CONSTRAINT denial_minute_denials_positive CHECK (denials >= 1),
  last_quote bigint NOT NULL CONSTRAINT denial_minute_quote_not_negative CHECK (last_quote >= 0),
  CONSTRAINT denial_minute_pkey PRIMARY KEY (writer, report, position, month)
) PARTITION BY RANGE (month);
CREATE TABLE denial_minute_default PARTITION OF denial_minute DEFAULT;

-- Why an account's requests were denied, lately.
CREATE INDEX denial_minute_account ON denial_minute (account, minute);
