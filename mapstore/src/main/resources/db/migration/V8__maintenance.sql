-- What watches over the store reads index ranges of its own size: reconciliation the usage of a page of accounts (R54), the
-- alarms of unpaid usage what was recorded lately (R9, R20).
CREATE INDEX usage_event_account ON usage_event (account);
CREATE INDEX usage_event_unfunded ON usage_event (recorded_at) WHERE verdict = 3;
CREATE INDEX usage_rejected_recorded ON usage_rejected (recorded_at);
