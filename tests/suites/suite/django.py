"""Django's own tests, over psycopg 3."""
import os

from .common import INSIDE, patch, python, sdist

#: Directories whose tests ask nothing of a database.
LEFT_OUT = {
    "admin_scripts", "apps", "asgi", "bash_completion", "builtin_server", "check_framework", "csrf_tests", "decorators", "deprecation", "dispatch", "file_storage",
    "files", "forms_tests", "gis_tests", "handlers", "httpwrappers", "humanize_tests", "i18n", "import_error_package", "logging_tests", "mail", "middleware",
    "middleware_exceptions", "project_template", "requirements", "resolve_url", "responses", "servers", "settings_tests", "shortcuts", "signed_cookies_tests",
    "sphinx", "staticfiles_tests", "template_backends", "template_loader", "template_tests", "templates", "test_runner", "test_runner_apps", "urlpatterns",
    "urlpatterns_reverse", "user_commands", "utils_tests", "version", "view_tests", "wsgi",
}


def run(place):
    bin, tree = python(place), sdist(place, "django")
    # Pamir has no collations of ICU and no extension bloom; so the tests go without them, on both servers.
    patch(f"{tree}/django/db/backends/postgresql/features.py", "sv-x-icu", "C")
    patch(f"{tree}/tests/postgres_tests/migrations/0001_setup_extensions.py", r"^ +BloomExtension\(\),\n", "")
    labels = sorted(d for d in os.listdir(f"{tree}/tests") if d not in LEFT_OUT and os.path.exists(f"{tree}/tests/{d}/__init__.py"))
    return place.recorded([bin, "runtests.py", "--settings", "django_runner", "--noinput", "--parallel", "1", *labels], f"{tree}/tests", {"PYTHONPATH": f"{INSIDE}:{tree}"})
