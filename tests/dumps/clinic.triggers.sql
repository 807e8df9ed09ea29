CREATE FUNCTION clinic.seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'done' AND OLD.status <> 'arrived' THEN
        RAISE EXCEPTION 'not here yet';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER seen BEFORE UPDATE OF status ON clinic.appointments FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION clinic.seen();
