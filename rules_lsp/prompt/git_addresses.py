"""Addresses of Git repositories without what only their owner may know."""

from __future__ import annotations

import re

from rules_lsp.source.expressions import expression

_WORDS = expression(r"(\s+)")
_PARTS = expression(r"([?&;#,])")
_SCHEME = expression(r"(?:[A-Za-z][A-Za-z0-9+.-]*+:)?\Z")
_SECRET_NAME = expression(
    r"token|secret|passw|passphrase|credential|api[_-]?key|auth|signature|session|jwt"
    r"|\A(?:pw|pwd|pass|key|sig|sas|pat)\Z",
    re.IGNORECASE,
)
# Wherever it stands: a token that is known by its form.
_TOKEN = expression(
    r"(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}"
    r"|ATBB[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w.-]{16,})"
)
# A user and a password behind any slashes, as in an address inside another one; the password may hold blanks.
_USER_AND_PASSWORD = expression(r"(?<=//)[^\s/?#@:]*+:(?!\d*+(?:\s|\Z))[^/?#@\r\n]*+@")
_SCHEMES_WITH_A_USER = ("ssh:", "git+ssh:", "ssh+git:")


def without_credentials(address: str) -> str:
    """The address without user, password and token; the user of SSH, which is no secret, stays.

    Parameters whose names speak of secrets keep their names only. The text may hold several addresses.
    """
    known = _TOKEN.sub("", address)
    return _USER_AND_PASSWORD.sub("", "".join(map(_bare_word, _WORDS.split(known))))


def _bare_word(word: str) -> str:
    if "@" not in word and "=" not in word:
        return word
    scheme, slashes, rest = word.partition("//")
    plain = scheme + slashes + _bare_url(scheme, rest) if slashes and _SCHEME.match(scheme) else _bare_scp(word)
    return _bare_parameters(plain)


def _bare_url(scheme: str, rest: str) -> str:
    """What stands behind the slashes. A path may hold an `@`, so only what stands in front of the host is taken.

    Where a colon stands there that no port follows, a password holds a `/`: all up to the last `@` is taken then.
    """
    end = min((place for mark in "/?#" if (place := rest.find(mark)) >= 0), default=len(rest))
    user, at, host = rest[:end].rpartition("@")
    if at:
        host += rest[end:]
    else:
        port = rest[:end].rpartition(":")
        if not port[1] or port[2].isdecimal() or "@" not in rest:
            return rest
        user, _, host = rest.rpartition("@")
    named = user.partition(":")[0]
    return f"{named}@{host}" if named and scheme.lower() in _SCHEMES_WITH_A_USER else host


def _bare_scp(word: str) -> str:
    """`user:password@host:path`, which has no scheme; `user@host:path` holds no secret."""
    user, at, host = word.rpartition("@")
    name, colon, _ = user.partition(":")
    return host if at and colon and "/" not in name else word


def _bare_parameters(word: str) -> str:
    return "".join(map(_bare_parameter, _PARTS.split(word)))


def _bare_parameter(part: str) -> str:
    name, equals, _ = part.partition("=")
    return name + equals if equals and _SECRET_NAME.search(name) and "/" not in name else part
