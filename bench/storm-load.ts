import { parentPort, workerData } from "node:worker_threads";
import { makeEvents } from "./events.ts";
import { load, prepare, type Prepared } from "./load.ts";

export type StormLoad = {
  port: number;
  projectId: number;
  token: string;
  connections: number;
  seconds: number;
  groups: number;
  /** Milliseconds between a response and the connection's next event. */
  pauseMs?: number;
};

/** Sends events to one project, in a thread of its own, so that a storm does not delay the measurement of other projects. */
const { port, projectId, token, connections, seconds, groups, pauseMs } = workerData as StormLoad;
const requests = makeEvents(2_000, groups, 3_000).map(({ body, group }) =>
  prepare(`/api/projects/${projectId}/error-events`, token, body, group),
);
const result = await load({
  port,
  connections,
  seconds,
  expectedStatus: 202,
  next: (n) => requests[n % requests.length] as Prepared,
  ...(pauseMs === undefined ? {} : { pauseMs }),
});
parentPort?.postMessage(result);
