# SPDX-License-Identifier: Apache-2.0
"""Where the steps of an exploration are done: by tools side by side here, or on a Dask cluster.

Both are an executor of concurrent.futures. Here a thread waits for each tool, which is a process.
After an error or an interrupt nothing more is started. On a cluster each thread of a worker does
one step, with the worker's own cache. If a worker dies, another does its step.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import importlib
import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from monpro.errors import MonproError
from monpro.explore import steps as explore_steps
from monpro.explore.steps import Outcome, Step

# How long a scheduler, and then its first worker, may take to answer; the variable says otherwise.
CONNECT_S = 10.0
CONNECT_VARIABLE = "MONPRO_CONNECT_S"
# Times that a step is begun again after its worker has died.
RETRIES = 3

Done = Callable[[Step, Outcome | MonproError], None]


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor and how many steps it does at once. remote: results come from other caches."""

    executor: Executor
    count: int
    remote: bool = False

    def do(self, steps: Sequence[Step], done: Done) -> None:
        """Does all the steps, those first that come first, and tells of each when it is done.

        A step whose tool failed (MONPRO_ERR_BUILD) is told of like others; any other error ends
        it all. The caller sees to what need not be done because the cache has it.
        """
        running = {self.executor.submit(explore_steps.perform, step): step for step in steps}
        try:
            for future in concurrent.futures.as_completed(running):
                step = running[future]
                done(step, self._outcome(step, future))
        finally:
            for future in running:
                future.cancel()

    def _outcome(self, step: Step, future: Future[Outcome]) -> Outcome | MonproError:
        try:
            outcome = future.result()
        except MonproError as why:
            if why.name != "MONPRO_ERR_BUILD":
                raise
            return why
        except (concurrent.futures.CancelledError, ModuleNotFoundError) as why:
            if not self.remote:
                raise
            reason = str(why) or "its scheduler is gone; what was done is kept"
            raise _lost(f"{step.title}: the cluster did not do it: {reason}") from why
        except Exception as why:
            if type(why).__name__ != "KilledWorker":
                raise
            return MonproError(
                "MONPRO_ERR_BUILD", f"{step.title}: {RETRIES + 1} workers died of it, one by one"
            )
        if self.remote:
            explore_steps.accept(step, outcome)
        return outcome


def _lost(message: str) -> MonproError:
    return MonproError("MONPRO_ERR_ARGUMENT", f"--scheduler: {message}")


@contextlib.contextmanager
def local(jobs: int) -> Iterator[Workers]:
    """Tools on this machine, so many at a time."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield Workers(executor, jobs)
    finally:
        executor.shutdown(cancel_futures=True)


def connect_s() -> float:
    """How long to wait for a cluster, in seconds."""
    text = os.environ.get(CONNECT_VARIABLE, "")
    if not re.fullmatch(r"(\d+(\.\d+)?)?", text):
        raise _lost(f'{CONNECT_VARIABLE} = "{text}" is not a number of seconds')
    return float(text) if text else CONNECT_S


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask scheduler; MonproError if there is none, or it has none."""
    try:
        distributed: Any = importlib.import_module("distributed")  # its calls are not typed
    except ImportError as why:
        raise _lost("needs dask: pip install '.[explore]'") from why
    wait_s = connect_s()
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is said below
    if not re.fullmatch(r"(\w+://)?[^\s/]+:\d+", address):
        raise _lost(f"{address} is not of the form HOST:PORT or tcp://HOST:PORT")
    try:
        client = distributed.Client(address, timeout=wait_s, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as why:
        text = str(why).splitlines()[0] if str(why) else type(why).__name__
        raise _lost(f"no Dask scheduler at {address}: {text}") from why
    try:
        try:
            client.wait_for_workers(1, timeout=wait_s)
        except TimeoutError as why:
            raise _lost(f"{address} has no workers: start some with dask worker {address}") from why
        count = sum(client.ncores().values())
        yield Workers(client.get_executor(retries=RETRIES), count, remote=True)
    finally:
        client.close(timeout=wait_s)


def open_workers(
    scheduler: str | None, jobs: int | None
) -> contextlib.AbstractContextManager[Workers]:
    """On a cluster, if a scheduler is named; otherwise here, two tools or so many at a time."""
    if scheduler is not None:
        return cluster(scheduler)
    return local(jobs or min(2, os.cpu_count() or 1))
