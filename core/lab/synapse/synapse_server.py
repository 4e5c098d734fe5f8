"""One of the stand-in's processes: `python -P -m core.lab.synapse.synapse_server ROLE SETTINGS`.

ROLE is `service` or `storage`, SETTINGS a line of JSON; secrets are in the environment.
"""

from __future__ import annotations

import asyncio
import signal
import sys

from aiohttp import web

from core.lab.synapse.service import service_app
from core.lab.synapse.settings import read_settings
from core.lab.synapse.storage import storage_app

_HOST = "127.0.0.1"
_BACKLOG = 1024
_LAST: float = 0.5  # seconds for answers that are on their way when the process is told to end


async def serve(app: web.Application, port: int) -> None:
    """Serve until SIGTERM."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # Who has left ends its request: else one that stalls would be kept for ever.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_LAST, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, _HOST, port, backlog=_BACKLOG).start()
    await ended.wait()
    await runner.cleanup()


def main(arguments: list[str]) -> None:
    """Run until told to end."""
    settings = read_settings(arguments[1])
    if arguments[0] == "storage":
        asyncio.run(serve(storage_app(settings), settings.storage_port))
    else:
        asyncio.run(serve(service_app(settings), settings.service_port))


if __name__ == "__main__":
    main(sys.argv[1:])
