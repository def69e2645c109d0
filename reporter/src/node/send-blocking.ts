import type { SendResult } from "../core/transport.ts";
import { builtin } from "./builtin.ts";
import { proxyFor, proxyHeaders } from "./proxy.ts";

export interface BlockingRequest {
  url: string;
  headers: Record<string, string>;
  bodies: string[];
}

/**
 * Sends at exit, when the event loop no longer runs: a worker thread makes the requests while this thread blocks for at
 * most `ms`. Starting the thread takes about 50 ms.
 *
 * @returns the response to each body; undefined if there was none in time
 */
export function sendBlocking(request: BlockingRequest, ms: number): (SendResult | undefined)[] {
  const { MessageChannel, receiveMessageOnPort, Worker } = builtin("node:worker_threads");
  const count = request.bodies.length;
  const { port1, port2 } = new MessageChannel();
  /** The number of responses, to wait for. */
  const done = new Int32Array(new SharedArrayBuffer(4));
  const ends = performance.now() + ms;
  const proxy = proxyFor(new URL(request.url), process.env);
  const worker = new Worker(script, {
    eval: true,
    workerData: {
      ...request,
      done,
      ms,
      port: port2,
      proxy: proxy?.href,
      proxyHeaders: proxy && proxyHeaders(proxy),
    },
    transferList: [port2],
    // Without the program's preloads (`--import`, NODE_OPTIONS): one may start another reporter.
    execArgv: [],
    env: { NODE_TLS_REJECT_UNAUTHORIZED: process.env["NODE_TLS_REJECT_UNAUTHORIZED"] ?? "" },
  });
  worker.on("error", () => {});
  worker.unref();
  for (let seen = 0; seen < count; seen = Atomics.load(done, 0)) {
    const left = ends - performance.now();
    if (left <= 0 || Atomics.wait(done, 0, seen, left) === "timed-out") break;
  }
  const answers = Array.from<SendResult | undefined>({ length: count });
  for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1)) {
    const [index, answer] = next.message as [number, SendResult];
    answers[index] = answer;
  }
  port1.close();
  return answers;
}

/** The worker's script. It is a string so that it works in any bundle without a separate file. */
const script = `
const { workerData } = require("node:worker_threads");
const { url, headers, bodies, done, ms, port, proxyHeaders } = workerData;
if (!process.env.NODE_TLS_REJECT_UNAUTHORIZED) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
const target = new URL(url);
const proxy = workerData.proxy && new URL(workerData.proxy);
const secure = target.protocol === "https:";
const library = ({ protocol }) => require(protocol === "https:" ? "node:https" : "node:http");
const agent = new (library(target).Agent)({ keepAlive: true, maxSockets: 8 });
if (proxy && secure) agent.createConnection = (options, connected) => {
  const path = options.host + ":" + options.port;
  const connect = library(proxy).request(proxy, { method: "CONNECT", path, agent: false, headers: { ...proxyHeaders, host: path } });
  connect.on("error", connected);
  connect.on("connect", ({ statusCode }, socket) => {
    if (statusCode === 200) connected(null, require("node:tls").connect({ ...options, socket }));
    else connected(new Error("the proxy responded with " + statusCode));
  });
  connect.end();
};
bodies.forEach((body, index) => {
  let open = true;
  const settle = (answer) => {
    if (!open) return;
    open = false;
    port.postMessage([index, answer]);
    Atomics.add(done, 0, 1);
    Atomics.notify(done, 0);
  };
  const options = { method: "POST", agent, timeout: ms, headers: { ...headers, "content-length": Buffer.byteLength(body) } };
  const request = proxy && !secure
    ? library(proxy).request(proxy, { ...options, path: target.href, headers: { ...options.headers, ...proxyHeaders, host: target.host } })
    : library(target).request(target, options);
  request.on("response", (response) => {
    let detail = "";
    response.setEncoding("utf8");
    response.on("data", (part) => (detail = (detail + part).slice(0, 300)));
    const { statusCode, headers } = response;
    response.on("end", () => settle({
      status: statusCode, detail, retryAfter: headers["retry-after"], contentType: headers["content-type"], location: headers.location,
    }));
  });
  request.on("error", (error) => settle({ status: 0, detail: error.message }));
  request.on("close", () => settle({ status: 0, detail: "the response ended early" }));
  request.on("timeout", () => request.destroy());
  request.end(body);
});
`;
