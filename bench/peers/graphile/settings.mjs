// What Graphile Worker's page on performance sets: jobs are fetched and completed in batches.

import { Logger } from "graphile-worker";

export const TASK = "bench";

export function workerOptions({ url, concurrency, localQueue }, task) {
  return {
    taskList: { [TASK]: task },
    noHandleSignals: true,
    preset: {
      worker: {
        connectionString: url,
        maxPoolSize: concurrency + 1,
        concurrentJobs: concurrency,
        localQueue: { size: localQueue },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: new Logger(() => () => {}),
      },
    },
  };
}
