import { builtin } from "./builtin.ts";

export interface BlockingRequest {
  url: string;
  headers: Record<string, string>;
  bodies: string[];
}

/**
 * Sends at exit, when the event loop no longer runs: a worker thread makes the requests while this thread blocks for at
 * most `ms`. Starting the thread takes about 50 ms.
 *
 * @returns the HTTP status for each body; 0 if there was no response in time
 */
export function sendBlocking(request: BlockingRequest, ms: number): number[] {
  const { Worker } = builtin("node:worker_threads");
  // The first element counts the responses, the others hold their statuses.
  const results = new Int32Array(new SharedArrayBuffer(4 * (1 + request.bodies.length)));
  const ends = performance.now() + ms;
  const worker = new Worker(script, {
    eval: true,
    workerData: { ...request, results, ms },
    // Without the program's preloads (`--import`, NODE_OPTIONS): one may start another reporter.
    execArgv: [],
    env: { NODE_TLS_REJECT_UNAUTHORIZED: process.env["NODE_TLS_REJECT_UNAUTHORIZED"] ?? "" },
  });
  worker.on("error", () => {});
  worker.unref();
  for (let done = 0; done < request.bodies.length; done = Atomics.load(results, 0)) {
    const left = ends - performance.now();
    if (left <= 0 || Atomics.wait(results, 0, done, left) === "timed-out") break;
  }
  return Array.from(results.subarray(1));
}

/** The worker's script. It is a string so that it works in any bundle without a separate file. */
const script = `
const { workerData: { url, headers, bodies, results, ms } } = require("node:worker_threads");
if (!process.env.NODE_TLS_REJECT_UNAUTHORIZED) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
const target = new URL(url);
const http = require(target.protocol === "https:" ? "node:https" : "node:http");
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
bodies.forEach((body, index) => {
  let open = true;
  const done = (status) => {
    if (!open) return;
    open = false;
    Atomics.store(results, index + 1, status);
    Atomics.add(results, 0, 1);
    Atomics.notify(results, 0);
  };
  const request = http.request(target, {
    method: "POST", agent, timeout: ms,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
  });
  request.on("response", (response) => {
    response.resume();
    response.on("end", () => done(response.statusCode));
  });
  request.on("error", () => done(0));
  request.on("close", () => done(0));
  request.on("timeout", () => request.destroy());
  request.end(body);
});
`;
