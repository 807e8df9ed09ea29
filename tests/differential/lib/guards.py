"""Row level security over a schema that is there: policies with conditions of every form, and a role that they hold for.

The conditions may read other tables, those before it, whose policies hold in them too: none of them comes back to its own table. None can fail for some row, so in which
order a plan asks them is no difference; what they must not show shows in rows and in errors.
"""
from .expr import Col
from .query import Queries

#: Whom the statements are run as, and another role it is no member of. They outlive a case.
ROLE, OTHER = "guarded", "stranger"
ROLES = [f"do $d$ begin if not exists (select from pg_roles where rolname = '{name}') then create role {name}; end if; end $d$" for name in (ROLE, OTHER)]
COMMANDS = ["all", "all", "select", "select", "insert", "update", "delete"]


class Before:
    """The tables before one of them, as a schema."""

    def __init__(self, schema, n):
        self.tables, self.types, self.functions, self.views = schema.tables[:n], schema.types, schema.functions, []


class Guards:
    def __init__(self, r, schema):
        self.r, self.schema = r, schema

    def condition(self, n):
        r, t = self.r, self.schema.tables[n]
        if r.random() < 0.12:
            return r.choice(["true", "true", "false", "current_user = 'guarded'"])
        q = Queries(r, Before(self.schema, n), budget=0 if n == 0 else r.choice([0, 1]))
        q.names = 80
        return q.cond([Col(f"{t.name}.{c}", y) for c, y in t.columns], r.choice([0, 1, 2]))

    def policy(self, n, k):
        r, t = self.r, self.schema.tables[n]
        command = r.choice(COMMANDS)
        parts = [f"create policy g{k} on {t.name}", r.choice(["", "", "as permissive", "as restrictive"]), f"for {command}", r.choice(["", "", f"to {ROLE}", f"to {OTHER}", f"to {OTHER}, {ROLE}"])]
        if command != "insert" and r.random() < 0.95:
            parts.append(f"using ({self.condition(n)})")
        if command in ("all", "insert", "update") and r.random() < 0.6:
            parts.append(f"with check ({self.condition(n)})")
        return " ".join(p for p in parts if p)

    def made(self):
        """(the table's name, a statement) one after the other; the last one takes the role."""
        r = self.r
        for n, t in enumerate(self.schema.tables):
            yield t.name, f"grant {r.choice(['all', 'all', 'all', 'select', 'select, update, insert'])} on {t.name} to {ROLE}"
            if r.random() < 0.85:
                yield t.name, f"alter table {t.name} enable row level security"
            some = [f"create policy g9 on {t.name} using (true)"] if r.random() < 0.25 else []
            for sql in some + [self.policy(n, k) for k in range(r.choice([0, 1, 1, 2, 3]))]:
                yield t.name, sql
        for v in self.schema.views:
            if r.random() < 0.5:
                yield v.name, f"alter view {v.name} set (security_invoker = true)"
            yield v.name, f"grant all on {v.name} to {ROLE}"
        yield "", f"grant usage on schema s to {ROLE}"
        yield "", f"set role {ROLE}"
