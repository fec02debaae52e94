// Fills the queue, and times how long processes of workers take until it is empty.

import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { runMigrations } from "graphile-worker";
import pg from "pg";

import { TASK } from "./settings.mjs";

const JOBS_PER_CALL = 10_000;
const POLL_MILLISECONDS = 2;
const PATIENCE_MILLISECONDS = 600_000;

const now = () => performance.timeOrigin + performance.now();
const rate = (count, began, ended) => ({ perSecond: (count / (ended - began)) * 1000, count });

// The jobs carry what our instances carry.
export async function fill({ url, count }) {
  await runMigrations({ connectionString: url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const began = now();
  for (let left = count; left > 0; left -= JOBS_PER_CALL) {
    await client.query(
      `select count(*) from graphile_worker.add_jobs(array(
         select row($1, json_build_object('orderId', 1234567, 'amount', 99.5),
                    null, null, null, null, null, null)::graphile_worker.job_spec
         from generate_series(1, $2::integer)))`,
      [TASK, Math.min(left, JOBS_PER_CALL)],
    );
  }
  const ended = now();
  await client.end();
  return rate(count, began, ended);
}

// From the first job in a handler to the last one gone from the table.
export async function burnDown({ url, count, processes, concurrency, localQueue }) {
  const program = new URL("burn_down_worker.mjs", import.meta.url);
  const workers = Array.from({ length: processes }, () =>
    fork(program, [JSON.stringify({ url, concurrency, localQueue })]));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    const reports = new Map();
    for (const worker of workers) {
      worker.on("message", (report) => reports.set(worker, report));
      worker.send("begin");
    }
    const handled = () => [...reports.values()].reduce((sum, each) => sum + each.handled, 0);
    await untilTrue(() => handled() >= count);
    await untilEmpty(url);
    const ended = now();
    const began = Math.min(...[...reports.values()].map((each) => each.firstAt));
    const exits = workers.map((worker) => once(worker, "exit"));
    for (const worker of workers) worker.send("end");
    await Promise.all(exits);
    return rate(count, began, ended);
  } finally {
    for (const worker of workers) worker.kill();
  }
}

async function untilTrue(isDone) {
  const deadline = now() + PATIENCE_MILLISECONDS;
  while (!(await isDone())) {
    if (now() > deadline) throw new Error("the queue did not become empty");
    await sleep(POLL_MILLISECONDS);
  }
}

async function untilEmpty(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await untilTrue(async () => {
    const { rowCount } = await client.query("select from graphile_worker._private_jobs limit 1");
    return rowCount === 0;
  });
  await client.end();
}
