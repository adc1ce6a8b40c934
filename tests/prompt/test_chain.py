"""Which AGENTS.md hold for a file, and why others do not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.prompt.bindings import Binding, binding_of, bindings
from rules_lsp.prompt.chain import Chain, chain_of
from rules_lsp.prompt.instruction_names import meant_name
from rules_lsp.workspace.inventory import scan


@pytest.fixture
def root(tmp_path: Path) -> Path:
    directory = tmp_path.resolve() / "app"
    directory.mkdir()
    return directory


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def told(chain: Chain) -> list[tuple[str, str]]:
    return [(part.name, part.text.content) for part in chain.parts]


def left_out(chain: Chain) -> list[tuple[str, str, str | None]]:
    return [(each.name, each.cause, each.by) for each in chain.left_out]


def test_the_way_from_the_root_to_the_target_and_nothing_beside_it(root: Path) -> None:
    names = ("AGENTS.md", "src/AGENTS.md", "src/api/v1/AGENTS.md", "src/web/AGENTS.md", "docs/AGENTS.md")
    write(root, {name: name for name in names})
    chain = chain_of(str(root), "src/api/v1/app.py")
    assert (chain.folder, chain.own and chain.own.name) == ("src/api/v1", "AGENTS.md")
    assert told(chain) == [("src/AGENTS.md", "src/AGENTS.md"), ("src/api/v1/AGENTS.md", "src/api/v1/AGENTS.md")]
    assert [part.why for part in chain.parts] == ["holds for what lies in `src`", "holds for what lies in `src/api/v1`"]
    assert chain.own is not None
    assert chain.own.why == "holds for the whole project"
    assert told(chain_of(str(root), str(root / "src/api/v1"))) == told(chain)
    assert told(chain_of(str(root), "src/api/not/there/yet.py")) == told(chain)[:1]
    assert told(chain_of(str(root), "src/api/v1/")) == told(chain)
    assert told(chain_of(str(root), "src")) == told(chain)[:1]
    assert told(chain_of(str(root), "README.md")) == []
    assert told(chain_of(str(root))) == []


@pytest.mark.parametrize(
    ("present", "counts"),
    [
        (("AGENTS.override.md", "AGENTS.Override.md", "AGENTS.md", "Agents.md", "agents.md"), "AGENTS.override.md"),
        (("AGENTS.Override.md", "AGENTS.md", "Agents.md", "agents.md"), "AGENTS.Override.md"),
        (("agents.md", "Agents.md", "AGENTS.md"), "AGENTS.md"),
        (("agents.md", "Agents.md"), "Agents.md"),
        (("agents.md",), "agents.md"),
    ],
)
def test_the_first_name_of_a_folder_masks_the_others(root: Path, present: tuple[str, ...], counts: str) -> None:
    write(root, {f"src/{name}": name for name in present})
    chain = chain_of(str(root), "src/app.py")
    assert told(chain) == [(f"src/{counts}", counts)]
    assert {(each.name, each.cause, each.by) for each in chain.left_out} == {
        (f"src/{name}", "masked", f"src/{counts}") for name in present if name != counts
    }


def test_an_empty_override_masks_to_nothing(root: Path) -> None:
    write(
        root, {"AGENTS.override.md": "", "AGENTS.md": "rules", "src/AGENTS.override.md": " \r\n", "src/AGENTS.md": "x"}
    )
    chain = chain_of(str(root), "src/app.py")
    assert (chain.own, told(chain)) == (None, [])
    assert left_out(chain) == [
        ("AGENTS.override.md", "empty", None),
        ("AGENTS.md", "masked", "AGENTS.override.md"),
        ("src/AGENTS.override.md", "empty", None),
        ("src/AGENTS.md", "masked", "src/AGENTS.override.md"),
    ]
    assert chain.left_out[1].why == "`AGENTS.override.md` stands in its place, and tells nothing"


def test_what_cannot_be_read_is_passed_over(root: Path) -> None:
    write(
        root,
        {
            "a/AGENTS.override.md": b"x" * (1024 * 1024 + 1),
            "a/AGENTS.md": "small",
            "b/AGENTS.md": b"caf\xe9",
            "c/AGENTS.md": b"x" * (1024 * 1024),
            "d/AGENTS.md/inner.txt": "a folder",
        },
    )
    chain = chain_of(str(root), "a/app.py")
    assert told(chain) == [("a/AGENTS.md", "small")]
    assert chain.parts[0].why == "holds for what lies in `a`; `AGENTS.override.md` cannot be read"
    assert [(each.cause, each.why) for each in chain.left_out] == [("too-large", "it is larger than 1 MiB")]
    chain = chain_of(str(root), "b/app.py")
    assert (told(chain), [(each.cause, each.why) for each in chain.left_out]) == (
        [],
        [("not-text", "it is not UTF-8 (byte 3): save it as UTF-8")],
    )
    assert [len(content) for _, content in told(chain_of(str(root), "c/app.py"))] == [1024 * 1024]
    assert left_out(chain_of(str(root), "d/app.py")) == [("d/AGENTS.md", "unreadable", None)]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("AGENTS.MD", "AGENTS.md"),
        ("AGENT.md", "AGENTS.md"),
        ("Agent.md", "AGENTS.md"),
        ("AGENTS.OVERRIDE.md", "AGENTS.override.md"),
        ("agents.override.md", "AGENTS.override.md"),
        ("AGENTS.md", None),
        ("Agents.md", None),
        ("agents.md", None),
        ("AGENTS.Override.md", None),
        ("agent.md", None),
        ("MY_AGENTS.md", None),
        ("AGENTS.txt", None),
    ],
)
def test_names_that_nobody_reads(root: Path, name: str, meant: str | None) -> None:
    assert meant_name(name) == meant
    write(root, {f"src/{name}": "text"})
    found = [each for each in chain_of(str(root), "src/app.py").left_out if each.cause == "wrong-name"]
    assert [(each.name, each.why) for each in found] == (
        [] if meant is None else [(f"src/{name}", f"nobody reads it under this name: it is `{meant}`")]
    )


def test_links_inside_are_followed_and_links_out_are_refused(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "AGENTS.md"
    outside.write_text("of someone else")
    write(root, {"AGENTS.md": "own", "shared/rules.md": "shared", "a/x.py": "", "b/x.py": "", "c/Agents.md": "lower"})
    (root / "a/AGENTS.md").symlink_to("../shared/rules.md")
    (root / "b/AGENTS.md").symlink_to("../AGENTS.md")
    (root / "c/AGENTS.md").symlink_to(outside)
    assert told(chain_of(str(root), "a/x.py")) == [("a/AGENTS.md", "shared")]
    chain = chain_of(str(root), "b/x.py")
    assert (told(chain), left_out(chain)) == ([], [("b/AGENTS.md", "repeated", None)])
    assert chain.left_out[0].why == "it leads to `AGENTS.md`, which is told already"
    chain = chain_of(str(root), "c/x.py")
    assert (told(chain), left_out(chain)) == (
        [],
        [("c/AGENTS.md", "outside", None), ("c/Agents.md", "masked", "c/AGENTS.md")],
    )


def test_the_target_is_where_its_links_lead(root: Path, tmp_path: Path) -> None:
    write(root, {"AGENTS.md": "own", "real/AGENTS.md": "real", "real/x.py": "", "way/AGENTS.md": "way"})
    (root / "way/x.py").symlink_to("../real/x.py")
    (root / "way/folder").symlink_to("../real", target_is_directory=True)
    (root / "way/out").symlink_to(tmp_path, target_is_directory=True)
    assert told(chain_of(str(root), "way/x.py")) == [("real/AGENTS.md", "real")]
    assert told(chain_of(str(root), "way/folder/new.py")) == [("real/AGENTS.md", "real")]
    for target in ("way/out/x.py", "../x.py", str(tmp_path / "x.py"), f"{root}-evil/x.py"):
        chain = chain_of(str(root), target)
        assert (chain.folder, chain.own and chain.own.text.content, told(chain)) == (None, "own", [])
    link = tmp_path / "link"
    link.symlink_to(root, target_is_directory=True)
    assert told(chain_of(str(link), str(root / "real/x.py"))) == [("real/AGENTS.md", "real")]


def test_a_loop_of_links_is_no_end(root: Path) -> None:
    (root / "AGENTS.md").symlink_to("AGENTS.md")
    (root / "loop").symlink_to("loop")
    chain = chain_of(str(root), "loop/x.py")
    assert (chain.own, told(chain)) == (None, [])
    assert left_out(chain) == [("AGENTS.md", "unreadable", None), ("loop", "unreadable", None)]
    assert chain_of(str(root), "a\0b").parts == ()


def test_secrets_are_opened_under_no_name(root: Path) -> None:
    write(root, {".a0proj/secrets.env": "KEY=hidden", "a/x": "", "b/x": "", "c/x": ""})
    (root / "a/AGENTS.md").symlink_to("../.a0proj/secrets.env")
    os.link(root / ".a0proj/secrets.env", root / "b/AGENTS.md")
    for folder in ("a", "b"):
        chain = chain_of(str(root), f"{folder}/x")
        assert (told(chain), left_out(chain)) == ([], [(f"{folder}/AGENTS.md", "secret", None)])


def test_an_open_editor_counts_before_its_file(root: Path) -> None:
    write(root, {"src/AGENTS.md": "saved"})
    overlay = {str(root / "src/AGENTS.md"): "typed", str(root / "src/api/AGENTS.md"): "new"}
    (root / "src/api").mkdir()
    assert told(chain_of(str(root), "src/api/x.py", overlay)) == [
        ("src/AGENTS.md", "typed"),
        ("src/api/AGENTS.md", "new"),
    ]
    assert told(chain_of(str(root), "src/api/x.py")) == [("src/AGENTS.md", "saved")]


KINDS = ("# Rules\r\n\r\n- one\r\n", "---\ntitle: x\n---\n# Rules\n", "# 規則\n\n日本語で答える\n", "﻿# BOM\n")


def test_a_monorepo_of_two_hundred(root: Path) -> None:
    write(root, {"AGENTS.md": "own"})
    for number in range(199):
        top = f"packages/p{number % 20:02}"
        folder = top if number < 20 else f"{top}/m{number // 20}"
        write(root, {f"{folder}/AGENTS.md": KINDS[number % 4], f"{folder}/src/a.py": ""})
    chain = chain_of(str(root), "packages/p07/m3/src/a.py")
    assert told(chain) == [("packages/p07/AGENTS.md", "﻿# BOM\n"[1:]), ("packages/p07/m3/AGENTS.md", "﻿# BOM\n"[1:])]
    chain = chain_of(str(root), "packages/p04/m9/src/a.py")
    assert told(chain) == [("packages/p04/AGENTS.md", KINDS[0]), ("packages/p04/m9/AGENTS.md", KINDS[0])]
    assert told(chain_of(str(root), "packages/p05/new.py")) == [("packages/p05/AGENTS.md", KINDS[1])]
    assert told(chain_of(str(root), "packages/p06/new.py")) == [("packages/p06/AGENTS.md", KINDS[2])]
    found = {each.name: each.files for each in bindings(scan(str(root)).files)}
    assert len(found) == 200
    assert found["AGENTS.md"] == 398
    assert found["packages/p00/AGENTS.md"] == 19
    assert found["packages/p00/m1/AGENTS.md"] == 1


FILES = sorted(
    [
        "AGENTS.md",
        "a.py",
        "src/AGENTS.md",
        "src/AGENTS.override.md",
        "src/x.py",
        "src-evil/y.py",
        "src0/agents.md",
        "src0/z",
    ]
)


@pytest.mark.parametrize(
    ("name", "binding"),
    [
        ("AGENTS.md", Binding("AGENTS.md", 7)),
        ("src/AGENTS.override.md", Binding("src/AGENTS.override.md", 2)),
        ("src/AGENTS.md", Binding("src/AGENTS.md", 0, "src/AGENTS.override.md")),
        ("src0/agents.md", Binding("src0/agents.md", 1)),
        ("new/AGENTS.md", Binding("new/AGENTS.md", 0)),
    ],
)
def test_what_an_instruction_file_binds(name: str, binding: Binding) -> None:
    assert binding_of(FILES, name) == binding
    assert binding in [*bindings(FILES), Binding("new/AGENTS.md", 0)]
