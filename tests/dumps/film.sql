-- A film rental, as the well known sample databases are: films, stores, rentals, payments by month.
CREATE SCHEMA rental;
COMMENT ON SCHEMA rental IS 'Films, who has them, and what they owe';
SET search_path = rental;

CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
COMMENT ON TYPE mpaa_rating IS 'What the board says of a film';
CREATE DOMAIN year AS integer CONSTRAINT year_check CHECK (VALUE >= 1901 AND VALUE <= 2155);
COMMENT ON DOMAIN year IS 'A year of release';
CREATE DOMAIN bignat AS bigint CHECK (VALUE >= 0);

CREATE SEQUENCE actor_actor_id_seq START WITH 201;
CREATE TABLE actor (
    actor_id integer DEFAULT nextval('actor_actor_id_seq') NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    last_update timestamp with time zone DEFAULT now() NOT NULL,
    PRIMARY KEY (actor_id)
);
ALTER SEQUENCE actor_actor_id_seq OWNED BY actor.actor_id;

CREATE TABLE language (
    language_id serial PRIMARY KEY,
    name character(20) NOT NULL,
    last_update timestamptz DEFAULT now() NOT NULL
);
CREATE TABLE category (
    category_id serial PRIMARY KEY,
    name text NOT NULL,
    parent_id integer REFERENCES category ON DELETE SET NULL,
    last_update timestamptz DEFAULT now() NOT NULL
);
CREATE TABLE film (
    film_id serial CONSTRAINT film_pkey PRIMARY KEY,
    title text NOT NULL,
    description text,
    release_year year,
    language_id integer NOT NULL,
    original_language_id integer,
    rental_duration smallint DEFAULT 3 NOT NULL,
    rental_rate numeric(4,2) DEFAULT 4.99 NOT NULL,
    length smallint,
    replacement_cost numeric(5,2) DEFAULT 19.99 NOT NULL,
    rating mpaa_rating DEFAULT 'G'::mpaa_rating,
    last_update timestamptz DEFAULT now() NOT NULL,
    special_features text[],
    fulltitle text GENERATED ALWAYS AS (upper(title) || COALESCE((' '::text || description), ''::text)) STORED,
    CONSTRAINT film_language_id_fkey FOREIGN KEY (language_id) REFERENCES language(language_id) ON UPDATE CASCADE ON DELETE RESTRICT,
    CONSTRAINT film_original_language_id_fkey FOREIGN KEY (original_language_id) REFERENCES language(language_id) ON UPDATE CASCADE ON DELETE RESTRICT,
    CONSTRAINT film_cost_check CHECK (replacement_cost > rental_rate OR rating = 'NC-17')
);
COMMENT ON TABLE film IS 'What can be rented';
COMMENT ON COLUMN film.special_features IS 'Trailers, commentaries, ''deleted'' scenes';
COMMENT ON CONSTRAINT film_cost_check ON film IS 'A film is dearer than its rental';
CREATE INDEX idx_title ON film USING btree (title);
CREATE INDEX idx_fk_language_id ON film (language_id);
CREATE INDEX film_lower_title ON film (lower(title) text_pattern_ops, length DESC NULLS LAST) INCLUDE (rating);
CREATE INDEX film_long ON film (length) WHERE length > 120 AND rating <> 'G'::mpaa_rating;
COMMENT ON INDEX film_long IS 'For evenings';

CREATE TABLE film_actor (
    actor_id integer NOT NULL REFERENCES actor ON UPDATE CASCADE ON DELETE RESTRICT,
    film_id integer NOT NULL REFERENCES film ON UPDATE CASCADE ON DELETE RESTRICT,
    last_update timestamptz DEFAULT now() NOT NULL,
    PRIMARY KEY (actor_id, film_id)
);
CREATE TABLE film_category (
    film_id integer NOT NULL REFERENCES film,
    category_id integer NOT NULL REFERENCES category,
    PRIMARY KEY (film_id, category_id)
);
CREATE TABLE country (country_id serial PRIMARY KEY, country text NOT NULL);
CREATE TABLE city (
    city_id serial PRIMARY KEY,
    city text NOT NULL,
    country_id integer NOT NULL REFERENCES country,
    UNIQUE (city, country_id)
);
CREATE TABLE address (
    address_id serial PRIMARY KEY,
    address text NOT NULL,
    address2 text,
    district text NOT NULL,
    city_id integer NOT NULL REFERENCES city,
    postal_code text,
    phone text NOT NULL
);
CREATE TABLE store (
    store_id serial PRIMARY KEY,
    manager_staff_id integer NOT NULL,
    address_id integer NOT NULL REFERENCES address
);
CREATE UNIQUE INDEX idx_unq_manager_staff_id ON store (manager_staff_id);
CREATE TABLE staff (
    staff_id serial PRIMARY KEY,
    first_name text NOT NULL,
    last_name text NOT NULL,
    address_id integer NOT NULL REFERENCES address,
    email text,
    store_id integer NOT NULL REFERENCES store,
    active boolean DEFAULT true NOT NULL,
    username text NOT NULL,
    password text,
    picture bytea
);
ALTER TABLE store ADD CONSTRAINT store_manager_fkey FOREIGN KEY (manager_staff_id) REFERENCES staff DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE customer (
    customer_id serial PRIMARY KEY,
    store_id integer NOT NULL REFERENCES store,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text,
    address_id integer NOT NULL REFERENCES address,
    activebool boolean DEFAULT true NOT NULL,
    create_date date DEFAULT ('now'::text)::date NOT NULL,
    active integer
);
CREATE INDEX idx_last_name ON customer (last_name);
CREATE TABLE inventory (
    inventory_id serial PRIMARY KEY,
    film_id integer NOT NULL REFERENCES film,
    store_id integer NOT NULL REFERENCES store
);
CREATE INDEX idx_store_id_film_id ON inventory (store_id, film_id);
CREATE TABLE rental (
    rental_id serial PRIMARY KEY,
    rental_period tsrange NOT NULL,
    inventory_id integer NOT NULL REFERENCES inventory,
    customer_id integer NOT NULL REFERENCES customer,
    staff_id integer NOT NULL REFERENCES staff,
    CONSTRAINT rental_period_check CHECK (NOT isempty(rental_period))
);
CREATE UNIQUE INDEX rental_once ON rental (inventory_id, customer_id, lower(rental_period));
CREATE TABLE payment (
    payment_id bigint GENERATED BY DEFAULT AS IDENTITY (START WITH 17504 INCREMENT BY 1),
    customer_id integer NOT NULL REFERENCES customer,
    staff_id integer NOT NULL REFERENCES staff,
    rental_id integer NOT NULL REFERENCES rental,
    amount numeric(5,2) NOT NULL,
    payment_date timestamptz NOT NULL,
    PRIMARY KEY (payment_date, payment_id)
);

CREATE VIEW customer_list AS
 SELECT cu.customer_id AS id,
    ((cu.first_name || ' '::text) || cu.last_name) AS name,
    a.address,
    a.postal_code AS "zip code",
    a.phone,
    city.city,
    country.country,
        CASE
            WHEN cu.activebool THEN 'active'::text
            ELSE ''::text
        END AS notes,
    cu.store_id AS sid
   FROM (((customer cu
     JOIN address a ON ((cu.address_id = a.address_id)))
     JOIN city ON ((a.city_id = city.city_id)))
     JOIN country ON ((city.country_id = country.country_id)));
COMMENT ON VIEW customer_list IS 'Customers with where they live';
COMMENT ON COLUMN customer_list."zip code" IS 'As written';

CREATE VIEW film_list AS
 SELECT film.film_id AS fid, film.title, category.name AS category, film.rental_rate AS price,
    film.length, film.rating,
    string_agg(actor.first_name || ' ' || actor.last_name, ', ' ORDER BY actor.last_name) AS actors
   FROM category
     LEFT JOIN film_category ON category.category_id = film_category.category_id
     LEFT JOIN film ON film_category.film_id = film.film_id
     JOIN film_actor ON film.film_id = film_actor.film_id
     JOIN actor ON film_actor.actor_id = actor.actor_id
  GROUP BY film.film_id, film.title, category.name, film.rental_rate
 HAVING count(*) > 0
  ORDER BY film.title;

CREATE VIEW sales_by_store AS
 SELECT (c.city || ',') || cy.country AS store, sum(p.amount) AS total_sales
   FROM payment p
     JOIN rental r ON p.rental_id = r.rental_id
     JOIN inventory i USING (inventory_id)
     JOIN store s USING (store_id)
     JOIN address a ON s.address_id = a.address_id
     JOIN city c ON a.city_id = c.city_id
     JOIN country cy ON c.country_id = cy.country_id
  GROUP BY cy.country, c.city, s.store_id;

CREATE VIEW category_tree AS
 WITH RECURSIVE t(category_id, path, depth) AS (
    SELECT category_id, ARRAY[name], 1 FROM category WHERE parent_id IS NULL
    UNION ALL
    SELECT c.category_id, t.path || c.name, t.depth + 1 FROM category c JOIN t ON c.parent_id = t.category_id
 )
 SELECT * FROM t;

CREATE FUNCTION inventory_in_stock(p_inventory_id integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_rentals INTEGER;
BEGIN
    SELECT count(*) INTO v_rentals
    FROM rental.rental
    WHERE inventory_id = p_inventory_id AND upper_inf(rental_period);
    RETURN v_rentals = 0;
END $$;
COMMENT ON FUNCTION inventory_in_stock(integer) IS 'Whether it is on the shelf';

CREATE FUNCTION film_in_stock(p_film_id integer, p_store_id integer, OUT p_film_count integer) RETURNS SETOF integer
    LANGUAGE sql STABLE
    AS $_$
     SELECT inventory_id
     FROM rental.inventory
     WHERE film_id = $1
     AND store_id = $2
     AND rental.inventory_in_stock(inventory_id);
$_$;

CREATE FUNCTION last_day(timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
  SELECT CASE
    WHEN EXTRACT(MONTH FROM $1) = 12 THEN
      (((EXTRACT(YEAR FROM $1) + 1) operator(pg_catalog.||) '-01-01')::date - INTERVAL '1 day')::date
    ELSE
      ((EXTRACT(YEAR FROM $1) operator(pg_catalog.||) '-' operator(pg_catalog.||) (EXTRACT(MONTH FROM $1) + 1) operator(pg_catalog.||) '-01')::date - INTERVAL '1 day')::date
    END
$_$;

CREATE FUNCTION get_customer_balance(p_customer_id integer, p_effective_date timestamptz DEFAULT now()) RETURNS numeric
    LANGUAGE plpgsql SECURITY DEFINER COST 200 SET search_path TO 'rental', 'pg_temp'
    AS $$
DECLARE
    v_rentfees DECIMAL(5,2); -- fees paid to rent the videos initially
    v_payments DECIMAL(5,2);
BEGIN
    SELECT COALESCE(SUM(film.rental_rate),0) INTO v_rentfees
      FROM film, inventory, rental
     WHERE film.film_id = inventory.film_id
       AND inventory.inventory_id = rental.inventory_id
       AND lower(rental.rental_period) <= p_effective_date
       AND rental.customer_id = p_customer_id;
    SELECT COALESCE(SUM(payment.amount),0) INTO v_payments
      FROM payment
     WHERE payment.payment_date <= p_effective_date AND payment.customer_id = p_customer_id;
    RETURN v_rentfees - v_payments;
END
$$;

INSERT INTO language (name) VALUES ('English'), ('Français'), ('Deutsch');
INSERT INTO category (name, parent_id) VALUES ('All', NULL), ('Action', 1), ('War', 2), ('Comedy', 1);
INSERT INTO actor (first_name, last_name, last_update) VALUES
    ('PENELOPE', 'GUINESS', '2020-02-15 09:34:33+00'), ('NICK', 'O''DONNELL', '2020-02-15 09:34:33+00');
INSERT INTO film (title, description, release_year, language_id, length, rating, special_features, last_update) VALUES
    ('ACADEMY DINOSAUR', 'A Epic Drama of a Feminist', 2006, 1, 86, 'PG', '{Deleted Scenes,"Behind the Scenes"}', '2020-09-10 00:00+00'),
    ('ACE GOLDFINGER', E'A tab\there,\na new line and a \\ backslash', 2006, 1, 148, 'R', NULL, '2020-09-10 00:00+00'),
    ('ÉTÉ', NULL, NULL, 2, NULL, 'NC-17', '{}', '2020-09-10 00:00+00');
INSERT INTO film_actor VALUES (201, 1, '2020-01-01'), (202, 1, '2020-01-01'), (202, 3, '2020-01-01');
INSERT INTO film_category VALUES (1, 2), (2, 3), (3, 4);
INSERT INTO country (country) VALUES ('Canada'), ('Australia');
INSERT INTO city (city, country_id) VALUES ('Lethbridge', 1), ('Woodridge', 2);
INSERT INTO address (address, district, city_id, phone) VALUES ('47 MySakila Drive', 'Alberta', 1, ''), ('28 MySQL Boulevard', 'QLD', 2, '555');
BEGIN;
INSERT INTO store (manager_staff_id, address_id) VALUES (1, 1);
INSERT INTO staff (first_name, last_name, address_id, store_id, username, picture) VALUES ('Mike', 'Hillyer', 1, 1, 'Mike', '\x89504e470d0a5a0a');
COMMIT;
INSERT INTO customer (store_id, first_name, last_name, address_id, create_date, active) VALUES (1, 'MARY', 'SMITH', 2, '2020-02-14', 1);
INSERT INTO inventory (film_id, store_id) VALUES (1, 1), (1, 1), (2, 1);
INSERT INTO rental (rental_period, inventory_id, customer_id, staff_id) VALUES
    ('[2022-05-24 22:53:30,2022-05-26 22:04:30)', 1, 1, 1), ('[2022-05-30 10:00:00,)', 3, 1, 1);
INSERT INTO payment (customer_id, staff_id, rental_id, amount, payment_date) VALUES (1, 1, 1, 2.99, '2022-05-26 22:04:30+00');
