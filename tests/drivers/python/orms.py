"""SQLAlchemy with Alembic, and Django, on plain tables: made, changed, read back and compared by the tools themselves. One line a check."""
import datetime as dt
import decimal
import os
import sys

import psycopg

HOST, PORT, NAME = os.environ["PGHOST"], os.environ["PGPORT"], "smoke_python_orms"
failed = False


def check(name):
    def run(f):
        global failed
        try:
            f()
            print(f"ok {name}")
        except Exception as e:  # noqa: BLE001: every failure is a line
            failed = True
            print(f"FAIL {name}: {type(e).__name__}: {e}".replace("\n", " ")[:500])

    return run


def server(sql):
    with psycopg.connect(f"host={HOST} port={PORT} user=postgres dbname=postgres", autocommit=True) as c:
        c.execute(sql)


server(f"drop database if exists {NAME} with (force)")
server(f"create database {NAME}")


@check("sqlalchemy and alembic")
def _():
    import sqlalchemy as sa
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from sqlalchemy.dialects import postgresql as pg
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload

    class Base(DeclarativeBase):
        pass

    class User(Base):
        __tablename__ = "users"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str] = mapped_column(sa.String(40), unique=True)
        meta: Mapped[dict | None] = mapped_column(pg.JSONB)
        tags: Mapped[list | None] = mapped_column(pg.ARRAY(sa.String(10)))
        amount: Mapped[decimal.Decimal | None] = mapped_column(sa.Numeric(10, 2), index=True)
        at: Mapped[dt.datetime] = mapped_column(sa.DateTime(timezone=True), server_default=sa.func.now())
        posts: Mapped[list["Post"]] = relationship(back_populates="user", cascade="all, delete-orphan")
        __table_args__ = (sa.CheckConstraint("amount >= 0", name="positive"),)

    class Post(Base):
        __tablename__ = "posts"
        id: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(), primary_key=True)
        user_id: Mapped[int] = mapped_column(sa.ForeignKey("users.id", ondelete="CASCADE"))
        text: Mapped[str]
        user: Mapped[User] = relationship(back_populates="posts")
        __table_args__ = (sa.Index("posts_lower", sa.text("lower(text)")), sa.Index("posts_part", "user_id", postgresql_where=sa.text("text <> ''")))

    engine = sa.create_engine(f"postgresql+psycopg://postgres@{HOST}:{PORT}/{NAME}")
    Base.metadata.create_all(engine)
    with engine.connect() as c:
        left = [d for d in compare_metadata(MigrationContext.configure(c, opts={"compare_server_default": True}), Base.metadata)]
        assert left == [], left
    with Session(engine) as s:
        s.add(User(name="a", meta={"x": [1]}, tags=["q"], amount=decimal.Decimal("1.50"), posts=[Post(text="One"), Post(text="two")]))
        s.add_all([User(name=f"u{i}", amount=i) for i in range(50)])
        s.commit()
        a = s.scalars(sa.select(User).options(selectinload(User.posts)).where(User.meta["x"][0].as_integer() == 1)).one()
        assert (a.amount, a.tags, sorted(p.text for p in a.posts)) == (decimal.Decimal("1.50"), ["q"], ["One", "two"])
        n = s.execute(sa.select(sa.func.count(), sa.func.sum(User.amount)).where(User.name.like("u%"))).one()
        assert tuple(n) == (50, decimal.Decimal("1225.00")), n
        up = pg.insert(User).values(name="a", amount=9)
        s.execute(up.on_conflict_do_update(index_elements=["name"], set_={"amount": up.excluded.amount}))
        assert s.execute(sa.update(User).where(User.name == "a").values(amount=User.amount + 1).returning(User.amount)).scalar() == 10
        with s.begin_nested() as inner:
            s.execute(sa.delete(User))
            inner.rollback()
        s.delete(a)
        s.commit()
        assert s.scalar(sa.select(sa.func.count()).select_from(Post)) == 0
        ranked = sa.select(User.name, sa.func.rank().over(order_by=User.amount.desc()).label("r")).subquery()
        assert s.execute(sa.select(ranked.c.name).where(ranked.c.r <= 2).order_by(ranked.c.r)).scalars().all() == ["u49", "u48"]
    with engine.begin() as c:
        op = Operations(MigrationContext.configure(c))
        op.add_column("users", sa.Column("extra", sa.Text(), server_default="x"))
        op.alter_column("users", "name", type_=sa.String(60), existing_type=sa.String(40))
        op.create_unique_constraint("both", "users", ["name", "extra"])
        op.drop_constraint("positive", "users", type_="check")
        op.rename_table("posts", "notes")
    inspector = sa.inspect(engine)
    assert {c["name"]: str(c["type"]) for c in inspector.get_columns("users")}["name"] == "VARCHAR(60)"
    assert [f["referred_table"] for f in inspector.get_foreign_keys("notes")] == ["users"]
    assert {i["name"] for i in inspector.get_indexes("notes")} == {"posts_lower", "posts_part"}
    assert [u["column_names"] for u in sorted(inspector.get_unique_constraints("users"), key=lambda u: u["name"])] == [["name", "extra"], ["name"]]
    assert inspector.get_check_constraints("users") == []
    Base.metadata.reflect(engine)
    engine.dispose()


@check("django")
def _():
    import django
    from django.conf import settings

    database = {"ENGINE": "django.db.backends.postgresql", "NAME": NAME, "USER": "postgres", "HOST": HOST, "PORT": PORT}
    apps = ["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions"]
    settings.configure(DATABASES={"default": database}, INSTALLED_APPS=apps, DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True)
    django.setup()
    from django.contrib.auth.models import Group, Permission, User
    from django.core.management import call_command
    from django.db import connection, models, transaction
    from django.db.models import Count, F, Q

    call_command("migrate", verbosity=0)
    u = User.objects.create_user("ann", password="x", email="a@b.c")
    User.objects.bulk_create([User(username=f"u{i}") for i in range(20)])
    g = Group.objects.create(name="g")
    g.permissions.set(Permission.objects.all()[:5])
    u.groups.add(g)
    assert User.objects.filter(groups__permissions__codename__startswith="add").distinct().count() == 1
    assert Group.objects.annotate(n=Count("permissions")).get().n == 5
    assert User.objects.filter(Q(username__iregex="^U1") | Q(email__icontains="A@")).count() == 12
    with transaction.atomic():
        User.objects.select_for_update().filter(pk=u.pk).update(first_name=F("username"))
        try:
            with transaction.atomic():
                User.objects.create(username="ann")
        except django.db.IntegrityError:
            pass
    assert User.objects.get(pk=u.pk).first_name == "ann"
    assert User.objects.update_or_create(username="ann", defaults={"last_name": "L"})[1] is False

    class Note(models.Model):
        who = models.ForeignKey(User, models.CASCADE)
        text = models.TextField()
        data = models.JSONField(default=dict)
        n = models.PositiveIntegerField(default=0)

        class Meta:
            app_label = "auth"
            constraints = [models.UniqueConstraint(fields=["who", "n"], condition=Q(n__gt=0), name="one_each")]

    with connection.schema_editor() as e:
        e.create_model(Note)
    Note.objects.create(who=u, text="t", data={"k": [1, {"x": 2}]})
    assert Note.objects.filter(data__k__1__x=2, who__username="ann").exists()
    with connection.schema_editor() as e:
        old = Note._meta.get_field("n")
        new = models.CharField(max_length=10, default="0")
        new.set_attributes_from_name("n")
        e.remove_constraint(Note, Note._meta.constraints[0])
        e.alter_field(Note, old, new)
    with connection.cursor() as c:
        found = connection.introspection.get_constraints(c, "auth_note")
        assert not any(d["check"] for d in found.values()), found
        columns = {d.name: d.type_code for d in connection.introspection.get_table_description(c, "auth_note")}
        assert columns["n"] == 1043, columns
    call_command("flush", verbosity=0, interactive=False)
    assert User.objects.count() == 0
    connection.close()


server(f"drop database {NAME} with (force)")
sys.exit(1 if failed else 0)
