from __future__ import annotations

from hypothesis import settings

pytest_plugins = ["pytester", "tests.support.left_out"]

# No test depends on how fast the machine is at that moment.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
