"""Runs a command under a unit's SystemCallFilter and MemoryDenyWriteExecute, without systemd: by libseccomp.

python -m deploy.filtered UNIT COMMAND...
"""

import ctypes
import errno
import mmap
import os
import re
import subprocess
import sys
from pathlib import Path

ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
MASKED_EQUAL = 7
NO_NEW_PRIVILEGES = 38


class Argument(ctypes.Structure):
    """What a system call's argument has to be, as libseccomp wants it told."""

    _fields_ = (
        ("number", ctypes.c_uint),
        ("compare", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


def calls(group: str) -> set[str]:
    """The system calls of a group, as systemd knows them."""
    words = ["systemd-analyze", "syscall-filter", "--no-pager", group]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found: set[str] = set()
    for word in re.findall(r"^ +([@\w-]+)$", told, re.MULTILINE):
        found |= calls(word) if word.startswith("@") else {word}
    return found


def allowed(unit: Path) -> set[str]:
    """The system calls that a unit allows; what every program needs is always among them."""
    found = set(calls("@default"))
    for words in re.findall(r"^SystemCallFilter=(.*)$", unit.read_text("utf-8"), re.MULTILINE):
        groups = words.lstrip("~").split()
        for group in groups:
            found = found - (calls(group) - calls("@default")) if words.startswith("~") else found | calls(group)
    return found


def confine(unit: Path) -> None:
    """Let this process and its children do nothing but what the unit allows."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    rule = library.seccomp_rule_add_array
    rule.argtypes = (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p)
    library.seccomp_load.argtypes = (ctypes.c_void_p,)
    few, pages = library.seccomp_init(REFUSE), library.seccomp_init(ALLOW)
    for name in allowed(unit):
        if (number := library.seccomp_syscall_resolve_name(name.encode())) >= 0:
            assert rule(few, ALLOW, number, 0, None) == 0, name
    executable = {"mmap": mmap.PROT_WRITE | mmap.PROT_EXEC, "mprotect": mmap.PROT_EXEC, "pkey_mprotect": mmap.PROT_EXEC}
    for name, bits in executable.items():
        asked = Argument(2, MASKED_EQUAL, bits, bits)
        number = library.seccomp_syscall_resolve_name(name.encode())
        assert rule(pages, REFUSE, number, 1, ctypes.byref(asked)) == 0, name
    assert ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    assert library.seccomp_load(pages) == library.seccomp_load(few) == 0


if __name__ == "__main__":
    confine(Path(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
