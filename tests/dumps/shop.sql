-- A shop in schema public, as an object-relational mapper would leave it.
CREATE TYPE public.order_status AS ENUM ('cart', 'placed', 'paid', 'shipped', 'returned');
CREATE TYPE public.currency AS ENUM ('EUR', 'USD', 'SEK');
CREATE TYPE public.price AS (amount numeric(12,2), unit public.currency);
CREATE DOMAIN public.positive_money AS numeric(12,2) DEFAULT 0 NOT NULL CONSTRAINT positive CHECK (VALUE >= 0::numeric);
CREATE DOMAIN public.sku AS text CHECK (VALUE ~ '^[A-Z]{2}-[0-9]{4}$'::text);

CREATE TABLE public.schema_migrations (version character varying NOT NULL PRIMARY KEY);
CREATE TABLE public.ar_internal_metadata (key varchar NOT NULL PRIMARY KEY, value varchar, created_at timestamp(6) without time zone NOT NULL, updated_at timestamp(6) without time zone NOT NULL);
CREATE TABLE public.customers (
    id bigserial PRIMARY KEY,
    email character varying(255) DEFAULT ''::character varying NOT NULL,
    "firstName" text,
    "Last Name" text,
    phone text,
    birthday date,
    preferences json DEFAULT '{}'::json,
    loyalty double precision DEFAULT 0.0,
    ratio real DEFAULT '1.5'::real,
    created_at timestamp(6) without time zone DEFAULT LOCALTIMESTAMP NOT NULL,
    deleted_at timestamp without time zone
);
CREATE UNIQUE INDEX index_customers_on_email ON public.customers USING btree (lower((email)::text)) WHERE (deleted_at IS NULL);
CREATE INDEX index_customers_on_names ON public.customers USING btree ("Last Name" COLLATE "C", "firstName" DESC);
COMMENT ON COLUMN public.customers."Last Name" IS 'Blanks
and a new line';
CREATE TABLE public.products (
    id bigserial PRIMARY KEY,
    sku public.sku NOT NULL UNIQUE,
    name text NOT NULL,
    list_price public.positive_money,
    price public.price,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    dimensions numeric(6,2)[] ,
    matrix integer[][],
    stock integer DEFAULT 0 NOT NULL CHECK (stock >= 0),
    on_sale tstzrange,
    weights int4multirange,
    attributes jsonb,
    gross numeric GENERATED ALWAYS AS (((list_price)::numeric * 1.25)) STORED
);
CREATE INDEX products_attrs ON public.products USING btree (((attributes ->> 'color'::text)), ((attributes ->> 'size'::text)));
CREATE TABLE public.addresses (
    id bigserial PRIMARY KEY,
    addressable_type varchar NOT NULL,
    addressable_id bigint NOT NULL,
    line text[] NOT NULL,
    country character(2) DEFAULT 'SE'::bpchar NOT NULL
);
CREATE INDEX index_addresses_on_addressable ON public.addresses (addressable_type, addressable_id);
CREATE TABLE public.orders (
    id bigint NOT NULL,
    number text GENERATED ALWAYS AS (('O-'::text || lpad((id)::text, 8, '0'::text))) STORED,
    customer_id bigint NOT NULL CONSTRAINT fk_rails_customers REFERENCES public.customers(id) ON DELETE RESTRICT,
    status public.order_status DEFAULT 'cart'::public.order_status NOT NULL,
    placed_at timestamptz,
    shipping_address_id bigint REFERENCES public.addresses ON DELETE SET NULL,
    note text,
    CONSTRAINT orders_pkey PRIMARY KEY (id),
    CONSTRAINT placed CHECK (((status = 'cart'::public.order_status) OR (placed_at IS NOT NULL)))
);
CREATE SEQUENCE public.orders_id_seq AS bigint START WITH 1000 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;
ALTER SEQUENCE public.orders_id_seq OWNED BY public.orders.id;
ALTER TABLE ONLY public.orders ALTER COLUMN id SET DEFAULT nextval('public.orders_id_seq'::regclass);
CREATE SEQUENCE public.invoice_numbers AS integer INCREMENT BY -1 MINVALUE -1000 MAXVALUE -1 CYCLE;
COMMENT ON SEQUENCE public.invoice_numbers IS 'Count down';
CREATE TABLE public.order_lines (
    order_id bigint NOT NULL REFERENCES public.orders ON DELETE CASCADE,
    line integer NOT NULL,
    product_id bigint NOT NULL REFERENCES public.products,
    quantity integer DEFAULT 1 NOT NULL,
    unit_price public.positive_money,
    discount numeric(3,2) DEFAULT 0.0,
    CONSTRAINT order_lines_pkey PRIMARY KEY (order_id, line) INCLUDE (quantity),
    CONSTRAINT order_lines_product UNIQUE NULLS NOT DISTINCT (order_id, product_id),
    CONSTRAINT discount_range CHECK (discount >= 0 AND discount < 1),
    CHECK (quantity BETWEEN 1 AND 1000)
);
CREATE TABLE public.coupons (code text PRIMARY KEY, valid daterange DEFAULT daterange(CURRENT_DATE, NULL) NOT NULL, percent smallint, uses integer[] DEFAULT ARRAY[0, 0]);
CREATE TABLE public.empty_table ();
CREATE TABLE public.no_key (a integer, b text);

CREATE VIEW public.order_totals AS
 SELECT o.id, o.number, o.status,
    sum(((l.quantity)::numeric * (l.unit_price)::numeric) * (1 - l.discount)) AS total,
    count(DISTINCT l.product_id) AS products,
    bool_and(l.quantity > 0) AS ok,
    (array_agg(p.name ORDER BY l.line))[1] AS first_product
   FROM public.orders o
     LEFT JOIN public.order_lines l ON l.order_id = o.id
     LEFT JOIN public.products p ON p.id = l.product_id
  GROUP BY o.id;
CREATE VIEW public.best_customers AS
 SELECT c.id, c.email, t.total, rank() OVER (ORDER BY t.total DESC NULLS LAST) AS place
   FROM public.customers c
   JOIN LATERAL (SELECT sum(ot.total) AS total FROM public.order_totals ot JOIN public.orders o USING (id) WHERE o.customer_id = c.id) t ON true
  WHERE c.deleted_at IS NULL AND EXISTS (SELECT 1 FROM public.orders o WHERE o.customer_id = c.id)
  LIMIT 100;
CREATE VIEW public.color_counts(color, n) AS SELECT products.attributes ->> 'color', count(*) FROM public.products GROUP BY ROLLUP(products.attributes ->> 'color');
CREATE VIEW public.on_sale AS SELECT p.id, p.name, (p.price).amount AS amount, (p.price).unit AS unit FROM public.products p WHERE p.on_sale @> '2024-06-01 00:00:00+00'::timestamptz;

CREATE FUNCTION public.convert(p public.price, target public.currency) RETURNS public.price
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    rate numeric := 1;
BEGIN
    IF p.unit = target THEN RETURN p; END IF;
    CASE target WHEN 'SEK' THEN rate := 11; ELSE rate := 1.1; END CASE;
    RETURN ROW(p.amount * rate, target)::public.price;
END $$;
CREATE FUNCTION public.place_order(o bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    l record;
BEGIN
    FOR l IN SELECT * FROM order_lines WHERE order_id = o ORDER BY line LOOP
        UPDATE products SET stock = stock - l.quantity WHERE id = l.product_id;
    END LOOP;
    UPDATE orders SET status = 'placed', placed_at = now() WHERE id = o;
EXCEPTION WHEN check_violation THEN
    RAISE WARNING 'out of stock: %', SQLERRM;
END $$;
CREATE FUNCTION public.total_of(public.orders) RETURNS numeric LANGUAGE sql STABLE AS 'SELECT total FROM public.order_totals WHERE id = $1.id';
CREATE FUNCTION public.add_tax(amount numeric, percent numeric DEFAULT 25) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT amount * (1 + percent / 100)';

CREATE EXTENSION unaccent SCHEMA public;
CREATE TEXT SEARCH DICTIONARY public.known_words (TEMPLATE = simple, STOPWORDS = english, ACCEPT = false);
CREATE TEXT SEARCH DICTIONARY public."Svenska" (TEMPLATE = snowball, LANGUAGE = swedish, STOPWORDS = 'swedish');
COMMENT ON TEXT SEARCH DICTIONARY public.known_words IS 'nothing but stop words';
CREATE TEXT SEARCH CONFIGURATION public.sv (COPY = swedish);
ALTER TEXT SEARCH CONFIGURATION public.sv ALTER MAPPING FOR word, asciiword, hword_part WITH public.unaccent, public."Svenska";
ALTER TEXT SEARCH CONFIGURATION public.sv ALTER MAPPING FOR numword WITH public.known_words, simple;
ALTER TEXT SEARCH CONFIGURATION public.sv DROP MAPPING FOR email, url, file;
COMMENT ON TEXT SEARCH CONFIGURATION public.sv IS 'Swedish without its marks';
CREATE TABLE public.pages (
    id integer PRIMARY KEY,
    lang regconfig DEFAULT 'public.sv'::regconfig NOT NULL,
    title text,
    body text CHECK (to_tsvector('public.sv', body) <> ''),
    found tsvector GENERATED ALWAYS AS (setweight(to_tsvector('public.sv', coalesce(title, '')), 'A') || to_tsvector('public.sv', body)) STORED,
    kept tsvector
);
CREATE INDEX pages_found ON public.pages USING gin (found);
CREATE INDEX pages_body ON public.pages USING gin (to_tsvector('public.sv', body));
CREATE VIEW public.words AS SELECT id, to_tsvector('public.sv', body) AS words, ts_lexize('public."Svenska"', title) AS stem FROM public.pages;
CREATE TRIGGER pages_kept BEFORE INSERT OR UPDATE ON public.pages FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger_column('kept', 'lang', 'title', 'body');
INSERT INTO public.pages (id, title, body) VALUES (1, 'Älgar', 'Älgarna är många'), (2, NULL, 'och 7up');
INSERT INTO public.pages (id, lang, title, body) VALUES (3, 'english', 'Moose', 'Many of them');

INSERT INTO public.schema_migrations VALUES ('20240101000000'), ('20240102000000');
INSERT INTO public.customers (email, "firstName", "Last Name", birthday, preferences, created_at) VALUES
    ('a@x.se', 'Åsa', 'Öberg', '1980-02-29', '{"news" :  true}', '2024-01-01 12:00:00.123456'),
    ('b@x.se', NULL, E'tab\tand \\N', '4713-01-01 BC', NULL, '2024-01-02');
INSERT INTO public.products (sku, name, list_price, price, tags, dimensions, matrix, stock, on_sale, weights, attributes) VALUES
    ('AB-0001', 'Chair', 99.5, '(99.50,EUR)', '{wood,"with \"quotes\""}', '{1.5,2}', '{{1,2},{3,4}}', 5, '[2024-05-01 00:00+00,2024-07-01 00:00+00)', '{[1,5),[7,9)}', '{"color": "red", "n": 1.50}'),
    ('AB-0002', 'Table', 0, NULL, DEFAULT, NULL, '[0:1]={5,6}', 0, NULL, '{}', NULL);
INSERT INTO public.addresses (addressable_type, addressable_id, line) VALUES ('Customer', 1, '{Gatan 1,NULL,"NULL"}');
INSERT INTO public.orders (customer_id, status, placed_at, shipping_address_id) VALUES (1, 'paid', '2024-03-01 10:00+00', 1), (2, 'cart', NULL, NULL);
INSERT INTO public.order_lines VALUES (1000, 1, 1, 2, 99.5, 0.1), (1000, 2, 2, 1, 0, 0);
INSERT INTO public.coupons VALUES ('WELCOME', '[2024-01-01,2025-01-01)', 10, '{1,NULL,3}');
INSERT INTO public.no_key VALUES (1, 'x'), (1, 'x'), (NULL, ''), (2, '\N');
SELECT nextval('public.invoice_numbers');
