from __future__ import annotations

import signal

from hypothesis import settings

pytest_plugins = ["pytester", "tests.support.left_out"]

# A shell that starts the tests in the background lets them ignore interrupts, and what they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No test depends on how fast the machine is at that moment.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
