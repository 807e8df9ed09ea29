CREATE FUNCTION ledger.only_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (SELECT open FROM ledger.periods WHERE id = NEW.period_id) THEN
        RAISE EXCEPTION 'period % is closed', NEW.period_id USING ERRCODE = 'LE001';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER only_open BEFORE INSERT OR UPDATE OF period_id ON ledger.transactions FOR EACH ROW EXECUTE FUNCTION ledger.only_open();
ALTER TABLE ledger.transactions ENABLE ALWAYS TRIGGER only_open;
