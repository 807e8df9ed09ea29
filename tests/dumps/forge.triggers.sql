CREATE FUNCTION forge.number_issue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number IS NULL THEN
        SELECT coalesce(max(number), 0) + 1 INTO NEW.number FROM forge.issues WHERE repository_id = NEW.repository_id;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER number_issue BEFORE INSERT ON forge.issues FOR EACH ROW EXECUTE FUNCTION forge.number_issue();
CREATE FUNCTION forge.audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE NOTICE '% on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_rows AFTER INSERT OR DELETE OR UPDATE OF state, labels ON forge.issues FOR EACH STATEMENT EXECUTE FUNCTION forge.audit('a', 'b''c');
ALTER TABLE forge.issues DISABLE TRIGGER number_issue;
