import { once } from "node:events";
import { makeEvents } from "./events.ts";
import { load, prepare, type LoadResult, type Prepared } from "./load.ts";

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

/** The latency of each response, and when its request was sent: milliseconds since the start. */
export type Timeline = { ms: number[]; sentAt: number[] };

export type StormResult = LoadResult & { timeline: Timeline };

/** Sends events to one project. Makes them on the first message, and starts on the second. */
const [{ projectId, token, groups, ...options }] = (await once(process, "message")) as [StormLoad];
const requests = makeEvents(2_000, groups, 3_000).map(({ body, group }) =>
  prepare(`/api/projects/${projectId}/error-events`, token, body, group),
);
const timeline: Timeline = { ms: [], sentAt: [] };
const start = once(process, "message");
process.send?.("prepared");
await start;
const result = await load({
  ...options,
  expectedStatus: 202,
  next: (n) => requests[n % requests.length] as Prepared,
  onResponse: (ms, sentAt) => {
    timeline.ms.push(ms);
    timeline.sentAt.push(sentAt);
  },
});
process.send?.({ ...result, timeline } satisfies StormResult, () => process.disconnect());
