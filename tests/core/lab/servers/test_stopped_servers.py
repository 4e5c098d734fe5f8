"""How every server in Java ends.  These tests stop it, and come last by the name of their file."""

from __future__ import annotations

import shutil

import psutil
from patience import PATIENCE
from serving import Running
from test_java_servers import every_server


@every_server
def test_that_a_stopped_server_leaves_no_process_and_a_folder_that_goes_away(
    server: Running,
) -> None:
    family = server.family()
    server.stop()
    gone, alive = psutil.wait_procs(family, timeout=PATIENCE)
    shutil.rmtree(server.site.folder)
    assert not alive, server.said()
    assert len(gone) == len(family)
