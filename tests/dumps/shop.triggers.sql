CREATE FUNCTION public.check_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT stock FROM public.products WHERE id = NEW.product_id) < NEW.quantity THEN
        RAISE EXCEPTION 'not enough of product %', NEW.product_id;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_stock AFTER INSERT OR UPDATE ON public.order_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_stock();
