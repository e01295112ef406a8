# SPDX-License-Identifier: MIT
"""Real servers for --via, each in a folder of its own and removed afterwards: an sshd on loopback with keys made
for it, and a Slurm cluster of one node. If this machine cannot run one, start() returns None, and why() returns what
is missing.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE = 120  # seconds, for a loaded machine


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def missing(*programs):
    """The first of these that is not installed; None where all are."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return next((program for program in programs if not shutil.which(program, path=path)), None)


def where(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Side:
    """What both have: a folder, daemons, the folder in which the far side keeps temporary files."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="driverlab-via-")
        self.folder = pathlib.Path(self.temporary.name)
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.daemons = []

    def daemon(self, *command, **options):
        log = (self.folder / (pathlib.Path(command[0]).name + ".log")).open("ab")
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True, **options)
        self.daemons.append(process)
        return process

    def logs(self):
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in self.folder.glob("*.log"))

    def left(self):
        """What was started for this side and is no daemon of it: its folder is named in the command or the environment."""
        name = str(self.folder).encode()
        daemons = {process.pid for process in self.daemons if process.poll() is None}
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                named = name in (process / "cmdline").read_bytes() or name in (process / "environ").read_bytes()
            except OSError:
                continue
            if named and int(process.name) not in daemons | {os.getpid()}:
                found.append(int(process.name))
        return found

    def end(self, number, seconds):
        """Sends it to whatever is left, and waits."""
        until = time.monotonic() + seconds
        for pid in self.left():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        while self.left() and time.monotonic() < until:
            time.sleep(0.1)

    def stop(self):
        # Launchers first, while somebody is there who takes their end: an srun that loses its cluster waits on.
        self.end(signal.SIGTERM, 10)
        for process in reversed(self.daemons):
            process.terminate()
        for process in self.daemons:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.end(signal.SIGKILL, 20)
        still = self.left()
        shutil.rmtree(self.folder, ignore_errors=True)
        if still:
            raise AssertionError(f"processes outlive their side: {still}")


class Ssh(Side):
    @staticmethod
    def why():
        program = missing("sshd", "ssh", "ssh-keygen")
        return program and f"{program} is not installed (apt-get install openssh-server openssh-client)"

    def start(self):
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        port = free_port()
        host = (self.folder / "host.pub").read_text()
        (self.folder / "known").write_text(f"[127.0.0.1]:{port} {host}")
        (self.folder / "sshd_config").write_text(f"""
ListenAddress 127.0.0.1
Port {port}
HostKey {self.folder}/host
AuthorizedKeysFile {self.folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
SetEnv TMPDIR={self.scratch}
""")
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)  # sshd's own, which only its service makes
        self.daemon(where("sshd"), "-D", "-e", "-f", self.folder / "sshd_config")
        self.launcher = (f"ssh -F /dev/null -p {port} -i {self.folder}/user -o IdentitiesOnly=yes -o IdentityAgent=none "
                         f"-o UserKnownHostsFile={self.folder}/known -o StrictHostKeyChecking=yes -o BatchMode=yes 127.0.0.1")
        until = time.monotonic() + PATIENCE
        while subprocess.run([*self.launcher.split(), "true"], capture_output=True).returncode != 0:
            if time.monotonic() > until or self.daemons[0].poll() is not None:
                return f"sshd does not answer: {self.logs()}"
            time.sleep(0.2)
        return None


class Slurm(Side):
    @staticmethod
    def why():
        program = missing("slurmctld", "slurmd", "srun", "munged")
        if program:
            return f"{program} is not installed (apt-get install slurmctld slurmd slurm-client munge)"
        return None if os.geteuid() == 0 else "slurmd runs programs as their users and therefore needs root"

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        socket_path = self.folder / "munge.socket"
        self.daemon(where("munged"), "--foreground", "--force", f"--key-file={key}", f"--socket={socket_path}",
                    f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munge.log",
                    f"--seed-file={self.folder}/munge.seed")
        name = socket.gethostname().split(".")[0]
        for folder in ("state", "spool"):
            (self.folder / folder).mkdir()
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={name}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={socket_path}
CredType=cred/munge
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
InactiveLimit=10
MpiDefault=none
ReturnToService=2
KillWait=5
NodeName={name} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=main Nodes={name} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
""")
        version = subprocess.run([where("slurmd"), "-V"], capture_output=True, text=True).stdout.split()[-1]
        if int(version.split(".")[0]) >= 23:
            (self.folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n")
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        until = time.monotonic() + PATIENCE
        while not socket_path.exists():
            if time.monotonic() > until or self.daemons[0].poll() is not None:
                return f"munged does not start: {self.logs()}"
            time.sleep(0.1)
        self.daemon(where("slurmctld"), "-D", "-f", self.folder / "slurm.conf", env=self.environment)
        self.daemon(where("slurmd"), "-D", "-N", name, "-f", self.folder / "slurm.conf", env=self.environment)
        os.environ["SLURM_CONF"] = self.environment["SLURM_CONF"]
        self.launcher = f"srun --quiet --nodes=1 --ntasks=1 --export=ALL,TMPDIR={self.scratch}"
        while subprocess.run([*self.launcher.split(), "--immediate=10", "true"], capture_output=True).returncode != 0:
            if time.monotonic() > until or any(daemon.poll() is not None for daemon in self.daemons):
                return f"the cluster does not start: {self.logs()}"
            time.sleep(0.5)
        return None


if __name__ == "__main__":  # try one by hand: cluster.py Ssh COMMAND…
    side = {"Ssh": Ssh, "Slurm": Slurm}[sys.argv[1]]()
    problem = side.why() or side.start()
    print(problem or side.launcher)
    if not problem and sys.argv[2:]:
        print(subprocess.run([*side.launcher.split(), *sys.argv[2:]], capture_output=True, text=True))
    side.stop()
