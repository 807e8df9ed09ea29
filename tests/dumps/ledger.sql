-- A double-entry ledger, with roles who may do little.
CREATE SCHEMA ledger;
CREATE SCHEMA ledger_api;
COMMENT ON SCHEMA ledger_api IS 'All that others may call';
CREATE DOMAIN ledger.iso_currency AS character(3) CHECK (VALUE = upper(VALUE::text));
CREATE DOMAIN ledger.amount AS numeric(20,4);
CREATE TYPE ledger.account_kind AS ENUM ('asset', 'liability', 'equity', 'income', 'expense');
CREATE TYPE ledger.money_amount AS (value ledger.amount, currency ledger.iso_currency);
CREATE TABLE ledger.accounts (
    id integer GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
    code text NOT NULL,
    parent integer REFERENCES ledger.accounts(id) ON DELETE NO ACTION,
    kind ledger.account_kind NOT NULL,
    currency ledger.iso_currency DEFAULT 'EUR'::bpchar NOT NULL,
    opened date DEFAULT CURRENT_DATE NOT NULL,
    closed date,
    active daterange GENERATED ALWAYS AS (daterange(opened, closed, '[]'::text)) STORED,
    CONSTRAINT accounts_code_key UNIQUE (code),
    CONSTRAINT accounts_dates CHECK (closed IS NULL OR closed >= opened)
);
CREATE TABLE ledger.periods (
    id integer PRIMARY KEY,
    span daterange NOT NULL UNIQUE,
    open boolean DEFAULT true NOT NULL
);
CREATE TABLE ledger.transactions (
    id bigserial PRIMARY KEY,
    period_id integer NOT NULL REFERENCES ledger.periods,
    posted_at timestamp with time zone DEFAULT transaction_timestamp() NOT NULL,
    posted_by name DEFAULT CURRENT_USER NOT NULL,
    memo text,
    external_ref uuid UNIQUE,
    reverses bigint UNIQUE REFERENCES ledger.transactions DEFERRABLE
);
CREATE TABLE ledger.entries (
    transaction_id bigint NOT NULL REFERENCES ledger.transactions ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    line smallint NOT NULL,
    account_id integer NOT NULL REFERENCES ledger.accounts,
    debit ledger.amount DEFAULT 0 NOT NULL,
    credit ledger.amount DEFAULT 0 NOT NULL,
    net numeric(20,4) GENERATED ALWAYS AS (((debit)::numeric - (credit)::numeric)) STORED,
    PRIMARY KEY (transaction_id, line),
    CONSTRAINT one_side CHECK (((debit = 0::numeric) <> (credit = 0::numeric)))
);
CREATE INDEX entries_account ON ledger.entries (account_id) INCLUDE (debit, credit);
CREATE INDEX entries_large ON ledger.entries (abs(net)) WHERE (abs(net) > 10000::numeric);
CREATE TABLE ledger.rates (
    base ledger.iso_currency NOT NULL, quote ledger.iso_currency NOT NULL,
    at timestamptz NOT NULL, rate numeric NOT NULL CHECK (rate > 0),
    PRIMARY KEY (base, quote, at)
);
CREATE VIEW ledger.trial_balance AS
 SELECT a.code, a.kind, COALESCE(sum(e.debit), (0)::numeric) AS debit, COALESCE(sum(e.credit), (0)::numeric) AS credit
   FROM ledger.accounts a LEFT JOIN ledger.entries e ON e.account_id = a.id
  GROUP BY GROUPING SETS ((a.code, a.kind), (a.kind), ());
CREATE VIEW ledger.tree AS
 WITH RECURSIVE up AS (
    SELECT id, code, parent, 0 AS depth, code AS path FROM ledger.accounts WHERE parent IS NULL
  UNION ALL
    SELECT a.id, a.code, a.parent, up.depth + 1, up.path || '/' || a.code FROM ledger.accounts a JOIN up ON a.parent = up.id
 ), sums AS MATERIALIZED (SELECT account_id, sum(net) AS net FROM ledger.entries GROUP BY account_id)
 SELECT up.path, up.depth, COALESCE(s.net, 0) AS net, repeat('  ', up.depth) || up.code AS shown
   FROM up LEFT JOIN sums s ON s.account_id = up.id;
CREATE VIEW ledger.unbalanced AS
 SELECT transaction_id, sum(debit) - sum(credit) AS off FROM ledger.entries GROUP BY transaction_id HAVING sum(debit) IS DISTINCT FROM sum(credit);
CREATE VIEW ledger_api.balances WITH (security_invoker='true') AS
 SELECT code, CASE WHEN kind IN ('asset', 'expense') THEN debit - credit ELSE credit - debit END AS balance FROM ledger.trial_balance WHERE code IS NOT NULL;
CREATE FUNCTION ledger_api.post(p_period integer, p_memo text, p_accounts integer[], p_amounts numeric[]) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'ledger' SET work_mem TO '8MB' AS $$
DECLARE
    tx bigint;
    i integer;
    total numeric := 0;
BEGIN
    IF array_length(p_accounts, 1) IS DISTINCT FROM array_length(p_amounts, 1) THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'accounts and amounts differ in number';
    END IF;
    INSERT INTO transactions (period_id, memo) VALUES (p_period, p_memo) RETURNING id INTO tx;
    FOR i IN 1 .. array_length(p_accounts, 1) LOOP
        total := total + p_amounts[i];
        INSERT INTO entries (transaction_id, line, account_id, debit, credit)
        VALUES (tx, i, p_accounts[i], greatest(p_amounts[i], 0), greatest(-p_amounts[i], 0));
    END LOOP;
    ASSERT total = 0, 'does not balance';
    RETURN tx;
END
$$;
CREATE FUNCTION ledger.convert(v numeric, b text, q text, t timestamptz DEFAULT now()) RETURNS numeric
    LANGUAGE sql STABLE STRICT LEAKPROOF AS $$
    SELECT v * rate FROM ledger.rates WHERE base = b AND quote = q AND at <= t ORDER BY at DESC LIMIT 1
$$;
CREATE PROCEDURE ledger.close_period(p integer) LANGUAGE sql AS 'UPDATE ledger.periods SET open = false WHERE id = p';

INSERT INTO ledger.accounts (code, parent, kind, opened) VALUES ('1', NULL, 'asset', '2020-01-01'), ('1.1', 1000, 'asset', '2020-01-01'), ('3', NULL, 'income', '2020-01-01');
INSERT INTO ledger.periods VALUES (202401, '[2024-01-01,2024-02-01)', false), (202402, '[2024-02-01,2024-03-01)', true);
INSERT INTO ledger.transactions (period_id, posted_at, posted_by, memo, external_ref) VALUES (202401, '2024-01-15 00:00+00', 'someone', 'Sale', '00000000-0000-4000-8000-000000000001');
INSERT INTO ledger.entries VALUES (1, 1, 1001, 12000.5, 0), (1, 2, 1002, 0, 12000.5);
INSERT INTO ledger.rates VALUES ('EUR', 'USD', '2024-01-01 00:00+00', 1.0952);

CREATE ROLE dump_clerk NOLOGIN;
CREATE ROLE dump_auditor NOLOGIN NOINHERIT;
CREATE ROLE dump_owner LOGIN CREATEDB CONNECTION LIMIT 5 VALID UNTIL '2031-01-01 00:00:00+00';
COMMENT ON ROLE dump_owner IS 'Who owns the books';
GRANT dump_clerk TO dump_auditor;
GRANT dump_auditor TO dump_owner WITH ADMIN OPTION;
ALTER ROLE dump_owner SET search_path = ledger, public;
GRANT USAGE ON SCHEMA ledger_api TO dump_clerk;
GRANT USAGE, CREATE ON SCHEMA ledger TO dump_auditor WITH GRANT OPTION;
GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO dump_auditor;
GRANT SELECT (id, code), UPDATE (closed) ON ledger.accounts TO dump_clerk;
GRANT INSERT, SELECT ON ledger.entries TO dump_clerk WITH GRANT OPTION;
GRANT USAGE ON SEQUENCE ledger.transactions_id_seq TO dump_clerk;
REVOKE ALL ON FUNCTION ledger_api.post(integer, text, integer[], numeric[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_api.post(integer, text, integer[], numeric[]) TO dump_clerk;
GRANT SELECT ON ledger_api.balances TO PUBLIC;
ALTER TABLE ledger.rates OWNER TO dump_owner;
ALTER VIEW ledger.unbalanced OWNER TO dump_owner;
ALTER FUNCTION ledger.convert(numeric, text, text, timestamptz) OWNER TO dump_owner;
ALTER TYPE ledger.account_kind OWNER TO dump_owner;
ALTER DOMAIN ledger.amount OWNER TO dump_owner;
ALTER DEFAULT PRIVILEGES IN SCHEMA ledger GRANT SELECT ON TABLES TO dump_auditor;
ALTER DEFAULT PRIVILEGES FOR ROLE dump_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
