-- Sweeps read what is due page by page, each page where the one before ended, so that accounts which cannot be served
-- never stand before those behind them (R19). Both indexes therefore order what is due at the same instant.

DROP INDEX lease_due;
CREATE INDEX lease_due ON lease ((expires_at + grace), account, id) WHERE state = 0;

DROP INDEX account_due;
CREATE INDEX account_due ON account (period_end, id) WHERE schedule_kind IS NOT NULL;
