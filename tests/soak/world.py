"""Where a soak takes place: replicas, a primary and its standby, and a proxy before each of them."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import faults
from cluster import Cluster
from cutting_proxy import CuttingProxy
from disks import PretendedDisk
from postgres import Pair, Postgres, url_of
from server import Server

REPLICAS = 3
SNAPSHOT_ANSWERS = 200


class World:
    """From start() to stop(). `load` is whatever runs at the moment."""

    def __init__(self, program, preload):
        self._disks = [PretendedDisk(preload) for _ in range(2)]
        nodes = [Postgres(environment=each.environment) for each in self._disks]
        self._disk_of = dict(zip(nodes, self._disks))
        self._pair = Pair(*nodes)
        self._proxies = [CuttingProxy(each.directory) for each in nodes]
        self._proxy_of = dict(zip(nodes, self._proxies))
        self.url = url_of(*(each.port for each in self._proxies))
        self.cluster = Cluster([Server(program, self) for _ in range(REPLICAS)])
        self.load = None

    def start(self):
        self._pair.start()
        for server in self.cluster.servers:
            server.start()

    def stop(self):
        for server in self.cluster.servers:
            server.discard()
        for proxy in self._proxies:
            proxy.stop()
        self._pair.stop()
        for disk in self._disks:
            disk.remove()

    def fault(self, name):
        """As things are now: which server is the primary changes."""
        primary = self._pair.primary
        return {
            "replica_killed": lambda: faults.ReplicaKilled(self.cluster, self.load),
            "replica_restarted": lambda: faults.ReplicaRestarted(self.cluster),
            "replica_frozen": lambda: faults.ReplicaFrozen(self.cluster, self.load),
            "backend_killed": lambda: faults.BackendKilled(primary),
            "backends_terminated": lambda: faults.BackendsTerminated(primary),
            "database_restarted": lambda: faults.DatabaseRestarted(primary),
            "commit_cut": lambda: faults.CommitCut(self._proxy_of[primary]),
            "snapshot_held": lambda: faults.SnapshotHeld(
                primary.url(), self.load, SNAPSHOT_ANSWERS),
            "disk_filled": lambda: faults.DiskFilled(self._disk_of[primary], primary, self.load),
            "primary_lost": lambda: faults.PrimaryLost(self._pair),
        }[name]()

    def write_logs(self, folder):
        for number, server in enumerate(self.cluster.servers):
            (folder / f"replica_{number}.log").write_text("\n".join(server.log), encoding="utf-8")
        for number, node in enumerate(self._disk_of):
            (folder / f"postgres_{number}.log").write_text(node.log(), encoding="utf-8")
