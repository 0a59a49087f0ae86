-- Test profiles only: R10's sums over leases, checked by the database itself at every commit. Production checks them at
-- every load and in `tollgrid verify`; here a transition that breaks them cannot become durable at all.

CREATE OR REPLACE FUNCTION lease_sums_agree() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject uuid := CASE TG_TABLE_NAME WHEN 'account' THEN to_jsonb(NEW) ->> 'id' ELSE to_jsonb(NEW) ->> 'account' END;
  stored account%ROWTYPE;
  active numeric;
  resident numeric;
  archived numeric;
BEGIN
  SELECT * INTO stored FROM account WHERE id = subject;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'lease of unknown account %', subject USING ERRCODE = 'check_violation';
  END IF;
  SELECT coalesce(sum(granted_allowance + granted_top_up - returned_allowance - returned_top_up - billed)
                    FILTER (WHERE state = 0), 0),
         coalesce(sum(loss) FILTER (WHERE state = 1), 0),
         coalesce(sum(loss) FILTER (WHERE state = 2), 0)
    INTO active, resident, archived
    FROM lease WHERE account = subject;
  IF active <> stored.outstanding OR resident <> stored.loss_resident OR archived <> stored.loss_archived THEN
    RAISE EXCEPTION 'account % stores outstanding %, loss % and archived loss %, its leases sum to %, % and %',
      subject, stored.outstanding, stored.loss_resident, stored.loss_archived, active, resident, archived
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS account_lease_sums_agree ON account;
CREATE CONSTRAINT TRIGGER account_lease_sums_agree AFTER INSERT OR UPDATE ON account
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lease_sums_agree();
DROP TRIGGER IF EXISTS lease_sums_agree ON lease;
CREATE CONSTRAINT TRIGGER lease_sums_agree AFTER INSERT OR UPDATE ON lease
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lease_sums_agree();
