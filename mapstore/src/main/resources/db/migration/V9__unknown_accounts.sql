-- Usage of an account that does not exist is kept like any other rejected usage: it is spend nobody paid for.
ALTER TABLE usage_rejected
  DROP CONSTRAINT usage_rejected_reason_known,
  ADD CONSTRAINT usage_rejected_reason_known CHECK (verdict BETWEEN 5 AND 12);
