"""Makes a virtual environment and unpacks into it the wheels of a folder that fit this Python: nothing is fetched.

    python -I install_wheels.py WHEELS ENVIRONMENT

It needs neither pip nor ensurepip, which systems leave out. Exit code 1, with a sentence on standard error, where a
package has no wheel that fits.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path


class NoWheelFits(Exception):
    """A package has no wheel for this Python."""


def main(arguments: list[str]) -> int:
    """Make the environment; the answer is the exit code."""
    wheels, environment = (Path(argument) for argument in arguments)
    try:
        chosen = fitting(wheels, sys.version_info[1])
    except NoWheelFits as error:
        sys.stderr.write(f"{error}\n")
        return 1
    venv.create(environment, symlinks=os.name != "nt", with_pip=False)
    packages = site_packages(environment)
    for wheel in chosen:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
    return 0


def fitting(wheels: Path, minor: int) -> list[Path]:
    """One wheel of each package in a folder of one platform's wheels, for CPython 3.`minor`.

    Raises NoWheelFits.
    """
    packages: dict[str, Path | None] = {}
    for wheel in sorted(wheels.glob("*.whl")):
        name, *_, python, abi, _ = wheel.stem.split("-")
        packages[name] = wheel if runs(python, abi, minor) else packages.get(name)
    missing = [name for name, wheel in packages.items() if wheel is None]
    if missing:
        raise NoWheelFits(f"there is no wheel of {' and '.join(missing)} for Python 3.{minor}")
    return [wheel for wheel in packages.values() if wheel is not None]


def runs(python: str, abi: str, minor: int) -> bool:
    """Whether CPython 3.`minor` takes a wheel of these tags: pure, of its own kind, or of a stable interface."""
    pythons = python.split(".")
    if abi == "abi3":
        return any(tag.startswith("cp3") and int(tag[3:] or 0) <= minor for tag in pythons)
    return "py3" in pythons if abi == "none" else f"cp3{minor}" in pythons and abi == f"cp3{minor}"


def site_packages(environment: Path) -> Path:
    """Where the packages of an environment lie."""
    scheme = "venv" if "venv" in sysconfig.get_scheme_names() else sysconfig.get_default_scheme()
    place = {"base": str(environment), "platbase": str(environment)}
    return Path(sysconfig.get_path("purelib", scheme, place))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
