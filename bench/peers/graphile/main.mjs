// Drives Graphile Worker and prints one JSON value.
// Usage: main.mjs fill|burn_down|latency '{"url":…,…}'

import { burnDown, fill } from "./burn_down.mjs";
import { latency } from "./latency.mjs";

const commands = { fill, burn_down: burnDown, latency };
const [name, options] = process.argv.slice(2);
console.log(JSON.stringify(await commands[name](JSON.parse(options))));
