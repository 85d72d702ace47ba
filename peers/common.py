"""What `run`, `simulate`, `link`, `inside` and `stones` share."""

import os
import platform
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ENVIRONMENT = HERE / ".environment"
PYTHON = ENVIRONMENT / "bin" / "python"
RIPRAP = ENVIRONMENT / "riprap" / "release" / "riprap"
BUILD = ["cargo", "build", "--release", "--locked", "--target-dir"]


class Failure(Exception):
    """A command that did not work; the text says why."""


def call(command, timeout=None, memory=None):
    """What a command prints."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory else None
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout,
                              preexec_fn=limit)
    except subprocess.TimeoutExpired:
        raise Failure(f"no answer in {timeout:.0f} s") from None
    except OSError as error:
        raise Failure(str(error)) from None
    if done.returncode:
        # Compilers and cargo tell the reason in their first error, so does LAMMPS; Python in the last line.
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip() and "RUST_BACKTRACE" not in line]
        lines = [line for line in lines if "error:" in line.lower()][:1] or lines
        raise Failure(lines[-1] if lines else f"ended with code {done.returncode}")
    return done.stdout


def environment():
    """Makes the Python environment."""
    if not PYTHON.exists():
        call([sys.executable, "-m", "venv", ENVIRONMENT])
    call([PYTHON, "-m", "pip", "install", "--quiet", "numpy"])


def prepare():
    """Makes the Python environment and our program."""
    environment()
    call([*BUILD, RIPRAP.parents[1], "--manifest-path", ROOT / "Cargo.toml", "--package", "riprap-cli"])


def install_debian(*packages):
    """Installs system packages, if we may."""
    if os.geteuid() or not shutil.which("apt-get"):
        raise Failure(f"needs Debian's {' '.join(packages)}, which only root can install")
    apt = ["apt-get", "--yes", "--no-install-recommends"]
    call([*apt, "update"])
    call([*apt, "install", *packages])


def require_header(header, package):
    """Installs a system package for C++ if its header is not known."""
    known = subprocess.run(["c++", "-E", "-x", "c++", "-include", header, os.devnull], capture_output=True)
    if known.returncode:
        install_debian(package)


def compile_program(source, program, *flags):
    call(["c++", "-O3", "-DNDEBUG", "-std=c++17", "-o", program, source, *flags])


def build_crate(folder, target):
    """Builds a crate that uses ours, whose own dependencies may have changed: it is not `--locked`."""
    call([*(part for part in BUILD if part != "--locked"), target, "--manifest-path", folder / "Cargo.toml"])


def requirements(folder=HERE):
    """Packages of requirements.txt and what to ask pip for."""
    for requirement in (folder / "requirements.txt").read_text().split():
        yield re.split(r"[\[=]", requirement)[0], requirement


def packages():
    """Versions of the Python packages."""
    return dict(line.split("==") for line in call([PYTHON, "-m", "pip", "list", "--format", "freeze"]).splitlines())


def crates(folder):
    """Versions of the crates that a crate uses."""
    return dict(re.findall(r'name = "(.+)"\nversion = "(.+)"', (folder / "Cargo.lock").read_text()))


def debian_version(package):
    try:
        return call(["dpkg-query", "--show", "--showformat", "${Version}", package])
    except Failure:
        return "?"


def machine():
    try:
        model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())[1]
    except (OSError, TypeError):
        model = platform.machine()
    return f"{model} ({os.cpu_count()} cores), {platform.system()}"


def others():
    """Processes that others ran over the last minutes; they spoil long measurements more than short ones."""
    load = os.getloadavg()[1]
    if load > 0.5:
        print(f"warning: this machine is busy (load {load:.1f}); times will be wrong", file=sys.stderr)
    return load


def revision():
    try:
        return call(["git", "-C", ROOT, "describe", "--always", "--dirty"]).strip()
    except Failure:
        return "?"


def choice(text, known):
    chosen = text.split(",")
    unknown = [name for name in chosen if name not in known]
    if unknown:
        sys.exit(f"`{unknown[0]}` is not known, expected some of {', '.join(known)}")
    return chosen
