import os from "node:os";
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
  /** Gives the server and other senders the processor first, as if these senders were on another machine. Only on Linux. */
  yields?: boolean;
};

/** Sends events to one project, in a thread of its own, so that a storm does not delay the measurement of other projects. */
const {
  port,
  projectId,
  token,
  connections,
  seconds,
  groups,
  pauseMs,
  yields = false,
} = workerData as StormLoad;
// On Linux, a priority is that of a thread; elsewhere it would be that of the whole process.
if (yields && process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_LOW);
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
