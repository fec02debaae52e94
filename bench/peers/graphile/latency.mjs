// From add_job to its handler, one at a time, in an otherwise idle queue.

import { setTimeout as sleep } from "node:timers/promises";

import { run, runMigrations } from "graphile-worker";
import pg from "pg";

import { TASK, workerOptions } from "./settings.mjs";

const MILLISECONDS_BETWEEN = 5; // The last job is completed by then, and its worker is idle.
const WARM_UP_ROUNDS = 20;

const quantile = (sorted, share) => sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1];

export async function latency({ url, rounds, concurrency, localQueue }) {
  await runMigrations({ connectionString: url });
  let onHandled = () => {};
  const runner = await run(workerOptions({ url, concurrency, localQueue }, () => onHandled()));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const samples = [];
  for (let round = -WARM_UP_ROUNDS; round < rounds; ++round) {
    await sleep(MILLISECONDS_BETWEEN);
    const handledAt = new Promise((resolve) => {
      onHandled = () => resolve(performance.now());
    });
    const began = performance.now();
    await client.query("select graphile_worker.add_job($1, json_build_object('round', $2::int))",
      [TASK, round]);
    const milliseconds = (await handledAt) - began;
    if (round >= 0) samples.push(milliseconds);
  }
  await client.end();
  await runner.stop();
  samples.sort((left, right) => left - right);
  return { p50Ms: quantile(samples, 0.5), p99Ms: quantile(samples, 0.99), count: samples.length };
}
