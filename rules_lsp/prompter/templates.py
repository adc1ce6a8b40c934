"""Rules to begin with: each is one item of `rules`, valid as it is inserted.

A body is written with the tab stops of LSP snippets, `${1:text}`; outside of them it has no `$`, `}` or `\\`. What
only the author can say stands in it as a placeholder, which the check `unedited-template` finds as long as it stays.
"""

from __future__ import annotations

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

_TAB_STOP = expression(r"\$\{[0-9]+:([^{}$]*)\}")
_SOURCES = "<the official sites of what this project uses>"


@dataclass(frozen=True, slots=True)
class Template:
    """A rule to begin with. `placeholders` are the texts of its body that say nothing until they are edited.

    `body` begins with `- ` in the first column, further lines are indented by two blanks; it ends without a line break.
    """

    id: str
    title: str
    description: str
    body: str
    placeholders: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The body as plain text: each tab stop with what stands in it."""
        return _TAB_STOP.sub(r"\1", self.body)


TEMPLATES: tuple[Template, ...] = (
    Template(
        "explain-for-beginners",
        "Explain for beginners",
        "The agent explains its work to people who are new to it.",
        """\
- id: ${1:explain-for-beginners}
  name: ${2:Explain for beginners}
  when: always
  action: inject_instruction
  instruction: ${3:Explain what you do so that a beginner understands it. Say why before you say how.}""",
    ),
    Template(
        "answer-in-japanese",
        "Answer in Japanese",
        "An answer of which less than half is Japanese, code left out, is asked for again.",
        """\
- id: ${1:answer-in-japanese}
  name: ${2:Answer in Japanese}
  when: completion.before_accept
  condition:
    language: {expect: ${3:ja}, below: ${4:0.5}}
  action: inject_instruction
  instruction: ${5:日本語で答えてください。}
  limit: {fires: ${6:2}, per: task}""",
    ),
    Template(
        "avoid-hard-words",
        "Avoid hard words",
        "The agent writes in plain words and explains the terms that it needs.",
        """\
- id: ${1:avoid-hard-words}
  name: ${2:Avoid hard words}
  when: always
  action: inject_instruction
  instruction: ${3:Use plain words. Explain each technical term in one sentence where you first use it.}""",
    ),
    Template(
        "explain-commands",
        "Explain commands",
        "The agent says what its commands do before it runs the first one.",
        """\
- id: ${1:explain-commands}
  name: ${2:Explain commands}
  when: tool.before
  target: {categories: [command_execution]}
  action: inject_instruction
  instruction: ${3:Say in one sentence what each command does and what it changes, then run it.}
  limit: {fires: ${4:1}, per: ${5:movement}}""",
    ),
    Template(
        "confirm-dangerous-commands",
        "Confirm dangerous commands",
        "A command that deletes, changes permissions or is dangerous waits for an approval.",
        """\
- id: ${1:confirm-dangerous-commands}
  name: ${2:Confirm dangerous commands}
  when: tool.before
  condition:
    command: {kinds: [${3:deletes, changes_permissions, dangerous}]}
  action: request_approval
  instruction: ${4:Explain what would be lost first.}""",
    ),
    Template(
        "approve-sending-outside",
        "Approval before sending outside",
        "What leaves the machine by MCP tools, browsers or ssh waits for an approval.",
        """\
- id: ${1:approve-sending-outside}
  name: ${2:Approval before sending outside}
  when: tool.before
  target: {categories: [${3:external_communication, browser, ssh}]}
  action: request_approval
  instruction: ${4:Say what would be sent, and to whom.}""",
    ),
    Template(
        "check-official-sources",
        "Check official sources",
        "Before its first search the agent is told which sources count.",
        f"""\
- id: ${{1:check-official-sources}}
  name: ${{2:Check official sources}}
  when: tool.before
  target: {{categories: [internet_search, browser]}}
  action: inject_instruction
  instruction: Rely on official sources only and name them. These are ${{3:{_SOURCES}}}.
  limit: {{fires: ${{4:1}}, per: ${{5:task}}}}""",
        (_SOURCES,),
    ),
    Template(
        "keep-to-the-movement",
        "Keep to the movement",
        "The agent does what the current movement asks for and leaves the rest alone.",
        """\
- id: ${1:keep-to-the-movement}
  name: ${2:Keep to the movement}
  when: always
  action: inject_instruction
  instruction: ${3:Do only what the current movement asks for. Write down what else you notice and leave it alone.}""",
    ),
    Template(
        "audit-deletions",
        "Audit deletions",
        "Commands that delete are recorded; nothing is held back.",
        """\
- id: ${1:audit-deletions}
  name: ${2:Audit deletions}
  when: tool.before
  condition:
    command: {kinds: [${3:deletes}]}
  action: audit_only""",
    ),
)
"""In the order in which they are offered."""
