// Starts, polls, completes, batches and lists, with the types that openapi-typescript made.
//
// Usage: walk.js URL, with a definition `greeting` of one task of the type `greet` on the server.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./millrace.js";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

type Job = components["schemas"]["DeliveredJob"];

async function poll(maxJobs: number): Promise<Job[]> {
  const { data } = await client.POST("/v1/jobs/poll", {
    body: { workerId: "node", jobTypes: ["greet"], maxJobs, waitSeconds: 20 },
  });
  assert(data);
  return data.jobs;
}

async function one(): Promise<void> {
  const start = {
    params: { header: { "Idempotency-Key": "t" } },
    body: { definitionId: "greeting", variables: { name: "Ada" } },
  };
  const { data: started } = await client.POST("/v1/instances", start);
  const { data: repeated } = await client.POST("/v1/instances", start);
  assert(started && repeated);
  assert.equal(repeated.id, started.id);
  const [job] = await poll(1);
  assert(job);
  assert.equal(job.variables["name"], "Ada");
  const done = await client.POST("/v1/jobs/{id}/complete", {
    params: { path: { id: job.id } },
    body: { workerId: "node", leaseToken: job.leaseToken, variables: { greeted: true } },
  });
  assert.equal(done.response.status, 204);
  const { data: ended } = await client.GET("/v1/instances/{id}", {
    params: { path: { id: started.id } },
  });
  const status: "COMPLETED" | undefined = ended?.status === "COMPLETED" ? ended.status : undefined;
  assert.equal(status, "COMPLETED");
  assert.equal(ended?.variables["greeted"], true);
}

async function several(): Promise<void> {
  const { data: started } = await client.POST("/v1/instances:batch", {
    body: {
      instances: [
        { definitionId: "greeting", idempotencyKey: "t-1" },
        { definitionId: "greeting", idempotencyKey: "t-2" },
        { definitionId: "none" },
      ],
    },
  });
  assert.deepEqual(started?.results.map((each) => each.status), [201, 201, 404]);
  const jobs = [...(await poll(1)), ...(await poll(1))];
  const { data: done } = await client.POST("/v1/jobs/complete", {
    body: { jobs: jobs.map((job) => ({ jobId: job.id, leaseToken: job.leaseToken })) },
  });
  assert.deepEqual(done?.results.map((each) => each.status), [204, 204]);
}

async function lists(): Promise<void> {
  const query = { status: "COMPLETED", page: 0, pageSize: 2, suspended: false };
  const { data: page } = await client.GET("/v1/instances", { params: { query } });
  assert.equal(page?.items.length, 2);
  assert.equal(page?.total, 3);
  const cursor = page?.nextCursor;
  assert(cursor);
  const { data: rest } = await client.GET("/v1/instances", {
    params: { query: { status: "COMPLETED", pageSize: 2, cursor } },
  });
  assert.equal(rest?.items.length, 1);
  const { data: jobs } = await client.GET("/v1/jobs", { params: { query: { status: "LOCKED" } } });
  assert.deepEqual(jobs?.items, []);
}

async function refusals(): Promise<void> {
  const { error } = await client.GET("/v1/instances", { params: { query: { status: "FAILD" } } });
  assert.equal(error?.error, "bad-request");
  assert.equal(error?.details[0]?.path, "status");
  const { data: accepted } = await client.POST("/v1/workspaces/{ws}/executions", {
    params: { path: { ws: "default" } },
    body: { definitionId: "greeting", input: { name: "Ada" } },
  });
  assert.equal(accepted?.queueStatus, "PENDING");
}

await one();
await several();
await lists();
await refusals();
