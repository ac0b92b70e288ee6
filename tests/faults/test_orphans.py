"""What a worker process says whose house was killed as it started is not taken for a word of that house or the next."""

from pathlib import Path
from time import monotonic, sleep

from support.house_process import House

SAID = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/usr/lib/python3.11/multiprocessing/spawn.py", line 120, in spawn_main
    exitcode = _main(fd, parent_sentinel)
EOFError: Ran out of input
"""
ORPHAN = """
import sys, time
from pathlib import Path
folder, said = Path(sys.argv[1]), sys.argv[2]
for line in said.splitlines(keepends=True):
    sys.stderr.write(line)
    sys.stderr.flush()
    (folder / "orphan-speaks").touch()
    while not (folder / "next-has-spoken").exists():
        time.sleep(0.01)
(folder / "orphan-is-done").touch()
"""
HOUSE = f"""
import subprocess, sys, time
from pathlib import Path
folder = Path(__file__).parent
if (folder / "orphan-speaks").exists():
    print("a word of the next house", file=sys.stderr, flush=True)
    (folder / "next-has-spoken").touch()
else:
    subprocess.Popen([sys.executable, "-c", {ORPHAN!r}, folder, {SAID!r}], stdout=subprocess.DEVNULL)
    while not (folder / "orphan-speaks").exists():
        time.sleep(0.01)
print("open", flush=True)
time.sleep(60)
"""
WITHIN_S = 60.0


def test_what_an_orphan_says_while_the_next_house_speaks_is_left_out(tmp_path: Path) -> None:
    script = tmp_path / "house.py"
    script.write_text(HOUSE, encoding="utf-8")
    with House(tmp_path, script=script, forked=False) as house:
        house.kill()
        house.open()
        by = monotonic() + WITHIN_S
        while not (tmp_path / "orphan-is-done").exists():
            assert monotonic() < by, "the orphan never ends"
            sleep(0.01)
        assert house.errors() == "a word of the next house\n"
