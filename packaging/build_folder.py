import sys
from PyInstaller.__main__ import run
out = sys.argv[2]
run(["--noconfirm", "--log-level=WARN", f"--distpath={out}/dist", f"--workpath={out}/work", "packaging/pbrain-gomoku-brain.spec"])
