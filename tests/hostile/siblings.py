"""Two boxes of one grader at once, an attacker and a sibling, and all that shows whether an attack did harm.

What counts is what this side sees: a secret that comes out, a sibling that ends or changes, a file or process of the
host that is touched. The attacker's own word counts besides, where nobody else could see.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyseccomp

from autograder.box.box import Box, CellRun
from autograder.box.policy import Policy
from tests.hostile.bait import Bait
from tests.hostile.escapes import FOLDER, Escape

CALLS = (
    *("process_vm_readv", "process_vm_writev", "ptrace", "pidfd_getfd", "kcmp", "open_by_handle_at", "mq_open"),
    *("name_to_handle_at", "mq_timedreceive", "keyctl", "add_key", "ioctl", "setns", "unshare", "clone", "clone3"),
    *("mount", "umount2", "fsopen", "open_tree", "fspick", "mount_setattr", "move_mount", "chroot", "pivot_root"),
    *("bpf", "io_uring_setup", "userfaultfd", "perf_event_open", "fanotify_init", "memfd_secret", "settimeofday"),
    *("clock_settime", "adjtimex", "sethostname", "setdomainname", "init_module", "delete_module", "kexec_load"),
    *("swapon", "acct", "syslog", "iopl", "ioperm", "vhangup", "reboot", "quotactl", "capset", "prctl"),
)
SUITE = FOLDER / "secret.txt"
_PATIENCE_S = 60.0


@dataclass(slots=True)
class Siblings:
    """A pair of boxes; each is replaced when it is of no more use.

    Attributes:
        policy: What both may use and see.
        bait: What the host holds.
        name: A part of names that makes them this pair's own.
        attacker: The box that attacks.
        sibling: The other box, with secrets of its own.
        before: What the sibling held and how the host was before the attack.
    """

    policy: Policy
    bait: Bait
    name: str = field(default_factory=lambda: f"sibling-{secrets.token_hex(4)}")
    attacker: Box | None = None
    sibling: Box | None = None
    before: Mapping[str, object] = field(default_factory=dict)
    _hints: dict[str, Any] = field(default_factory=dict)
    _tokens: dict[str, str] = field(default_factory=dict)
    _pid: int = 0
    _others: list[int] = field(default_factory=list)

    def harm(self, attack: Escape) -> list[str]:
        """Runs an attack and returns all the harm that it did, in words; afterwards both boxes are fit again."""
        self._start()
        assert self.attacker is not None
        done = self.attacker.execute(attack.code, timeout=_PATIENCE_S)
        found = [*self._told(done), *self._changed()]
        if done.status != "ok" or attack.spoils:
            self._close_attacker()
        if self._changed():
            self.close()
        if done.status == "timeout":
            found.append("it did not come to an end")
        if done.status == "error":  # a refusal is no exception: `attempt` of the prelude takes it
            found.append(f"it failed by itself, and so proves nothing:\n{done.traceback}")
        return found

    def close(self) -> None:
        """Ends both boxes."""
        self._close_attacker()
        if self.sibling:
            self.sibling.close()
            self.sibling = None

    def _close_attacker(self) -> None:
        if self.attacker:
            self.attacker.close()
            self.attacker = None

    def _start(self) -> None:
        """Starts what is missing: the sibling first, so that all that it has told may have come to the attacker."""
        if self.sibling is None:
            self._close_attacker()
            self.sibling = Box("student", policy=self.policy)
            self.sibling.start()
            self._prepare_sibling(self.sibling)
        if self.attacker is None:
            self.attacker = Box("student", policy=self.policy)
            self.attacker.start()
            self._prepare_attacker(self.attacker)
        self.before = self._now()

    def _prepare_sibling(self, box: Box) -> None:
        kinds = ("memory", "files", "command lines", "sockets", "shared memory")
        self._tokens = {f"the sibling's {kind}": token() for kind in kinds}
        given = {"TOKENS": self._tokens, "NAME": self.name, "BOXED": self.policy.sandbox != "none"}
        given |= {"PORT": self.bait.free_port, "KEY": self.bait.key + 1}
        _run(box, "\n".join(f"{name} = {value!r}" for name, value in given.items()))
        _run(box, (FOLDER / "victim.py").read_text(encoding="utf-8"))
        child = process_with(self._tokens["the sibling's command lines"])
        self._pid = parent(child)
        self._others = ancestors(self._pid)
        found = json.loads(_run(box, "print(json.dumps([ctypes.addressof(memory), list(map(str, secrets))]))"))
        conversation = box._conversation
        assert conversation is not None
        provisioner = conversation.provisioner
        assert provisioner is not None
        assert provisioner._folder is not None
        key = conversation._manager.session.key.decode()
        boxed = self.policy.sandbox != "none"
        sockets = [str(path) for path in sorted(provisioner._folder.path.iterdir()) if path.is_socket()]
        self._hints = {
            "boxed": boxed,
            "name": self.name,
            "bait": self.bait.name,
            "pids": [self._pid, child, *(self._others if boxed else ())],
            "grader": os.getpid(),
            "buffers": [[self._pid, found[0]], [os.getpid(), self.bait.address]],
            "siblings": found[1],
            "abstract": [self.name, self.bait.name],
            "sockets": [str(self.bait.socket), *sockets, f"/tmp/{self.name}.sock"],
            "ports": [self.bait.free_port, self.bait.port],
            "keys": [self.bait.key + 1, self.bait.key],
            "suite": str(SUITE),
            "masked": masked({**self._tokens, **self.bait.tokens, "the key of the sibling's kernel": key}),
            "calls": {name: pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in CALLS},
            **self.bait.hints(),
        }

    def _prepare_attacker(self, box: Box) -> None:
        prelude = (FOLDER / "prelude.py").read_text(encoding="utf-8")
        _run(box, f"{prelude}\nHINTS = {self._hints!r}")

    def _told(self, done: CellRun) -> list[str]:
        """Lists the secrets that came out and what the attacker says that it was granted."""
        text = f"{done.stdout}\n{done.traceback}\n{done.evalue}"
        everything = {**self._tokens, **self.bait.tokens, "the course's folder": SUITE.read_text().split()[-1]}
        found = [f"a secret came out of {place}" for place, secret in everything.items() if secret in text]
        return found + sorted({line for line in text.splitlines() if line.startswith("GRANTED:")})

    def _changed(self) -> list[str]:
        now = self._now()
        return [f"{what} changed: {self.before[what]} -> {now[what]}" for what in now if now[what] != self.before[what]]

    def _now(self) -> dict[str, object]:
        """Looks at the sibling, and at the host."""
        assert self.sibling is not None
        done = self.sibling.execute("print(state())", timeout=_PATIENCE_S)
        held = json.loads(done.stdout) if done.status == "ok" else {}
        processes = {f"process {pid}": (state(pid), limits(pid)) for pid in (self._pid, *self._others)}
        return {
            "whether the sibling answers": done.status,
            **{f"the sibling's {what}": value for what, value in held.items()},
            **processes,
            **self.bait.now(self.name),
        }


def token() -> str:
    """Makes a secret."""
    return f"secret-{secrets.token_hex(8)}"


def masked(tokens: Mapping[str, str]) -> list[tuple[str, list[int], list[int]]]:
    """Halves secrets and masks them, so that who is told what to look for does not hold it."""
    hidden = {what: [value ^ 7 for value in secret.encode()] for what, secret in tokens.items()}
    return [(what, values[:16], values[16:]) for what, values in hidden.items()]


def process_with(word: str) -> int:
    """Finds the process that has a word in its command line."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if word.encode() in _read(path):
            return int(path.parent.name)
    raise AssertionError("the sibling's child is not there")


def parent(pid: int) -> int:
    """Returns the number of a process's parent."""
    return int(_read(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()[1])


def ancestors(pid: int) -> list[int]:
    """Lists what started a process, up to this one: the first process of its box, and bubblewrap or the zygote."""
    found: list[int] = []
    while (pid := parent(pid)) not in (os.getpid(), 1, 0):
        found.append(pid)
    return found


def state(pid: int) -> str:
    """Returns whether a process is there and not stopped; who sleeps may as well run."""
    found = _read(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()[:1]
    return "gone" if not found or found[0] in b"ZX" else "stopped" if found[0] in b"Tt" else "there"


def limits(pid: int) -> str:
    """Returns the limits of a process, as the host sees them."""
    return _read(Path(f"/proc/{pid}/limits")).decode()


def _run(box: Box, code: str) -> str:
    done = box.execute(code, timeout=_PATIENCE_S)
    assert done.status == "ok", done.traceback
    return done.stdout


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
