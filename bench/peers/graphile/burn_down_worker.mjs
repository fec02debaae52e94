// One process of workers. Tells its parent when it is ready, begins at its word, and then how many
// jobs it has handled.

import { run } from "graphile-worker";

import { workerOptions } from "./settings.mjs";

const REPORT_MILLISECONDS = 10;

let firstAt = 0;
let handled = 0;
let reported = 0;

const options = workerOptions(JSON.parse(process.argv[2]), () => {
  firstAt ||= performance.timeOrigin + performance.now();
  ++handled;
});

process.once("message", async () => {
  const runner = await run(options);
  const reports = setInterval(() => {
    if (handled !== reported) process.send({ firstAt, handled: (reported = handled) });
  }, REPORT_MILLISECONDS);
  process.once("message", async () => {
    clearInterval(reports);
    await runner.stop();
    process.disconnect();
  });
});
process.send("ready");
