"""Django's settings for its own tests, and the runner that records them."""
import os
import unittest

import record
from django.test.runner import DiscoverRunner

SERVER = {"ENGINE": "django.db.backends.postgresql", "HOST": os.environ["PGHOST"], "PORT": os.environ["PGPORT"], "USER": "postgres"}
DATABASES = {"default": {**SERVER, "NAME": "django"}, "other": {**SERVER, "NAME": "django2"}}
SECRET_KEY = "django_tests_secret_key"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = False
TEST_RUNNER = "django_runner.Runner"


class Result(unittest.TextTestResult):
    status = None

    def startTest(self, test):
        super().startTest(test)
        self.status = None
        record.begin(test.id())

    def stopTest(self, test):
        super().stopTest(test)
        record.end(test.id(), self.status or "passed")
        if record.out_of_time():
            self.stop()

    def bad(self, test, err):
        self.status = self.status if self.status and self.status != "skipped" else record.failed(f"{err[0].__name__}: {err[1]}")
        if not isinstance(test, unittest.TestCase):  # a class's or module's setup
            record.end(test.id(), self.status)

    def addError(self, test, err):
        super().addError(test, err)
        self.bad(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.bad(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.bad(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.status = self.status or "skipped"

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.status = "skipped"


class Runner(DiscoverRunner):
    def get_resultclass(self):
        return Result

    def build_suite(self, *args, **kwargs):
        suite = super().build_suite(*args, **kwargs)
        return type(suite)([t for t in suite if t.id() not in record.DONE])

    def run_suite(self, suite, **kwargs):
        result = super().run_suite(suite, **kwargs)
        if not result.shouldStop:
            record.finished()
        return result
