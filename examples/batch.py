# SPDX-License-Identifier: Apache-2.0
"""Many exponentiations at once: submitted, then waited for, while the program does other things.

python examples/batch.py [ENGINE]
"""

import sys

import monpro

modulus = (1 << 521) - 1
jobs = [monpro.Job(base, 65537, modulus, public=True) for base in range(2, 10)]
jobs.append(monpro.Job(2, 65537, modulus + 1))  # even: this one fails, the others do not

with monpro.Engine(sys.argv[1] if len(sys.argv) > 1 else "sim:small") as engine:
    batch = engine.submit(jobs)
    slices = 1
    while not batch.poll():
        slices += 1  # here is time for something else
    for job, result in zip(jobs, batch.wait(), strict=True):
        if result.error:
            print(result.error)
        else:
            assert result.value == pow(job.base, job.exponent, job.modulus)
    print(f"{engine.counters().operations} results, all right, in several slices: {slices > 1}")
