import type * as Http from "node:http";
import type { Duplex } from "node:stream";
import type { SendResult, Outgoing } from "../core/transport.ts";
import { builtin } from "./builtin.ts";
import { proxyFor, proxyHeaders } from "./proxy.ts";

/** The transport of Node. It has its own agent, and its sockets do not keep the process alive. */
export function createHttpTransport(): (request: Outgoing) => Promise<SendResult> {
  const agents: Partial<Record<string, Http.Agent>> = {};

  return (request) =>
    new Promise((resolve, reject) => {
      const url = new URL(request.url);
      const proxy = proxyFor(url, process.env);
      const agent = (agents[`${url.protocol}${proxy?.href}`] ??= createAgent(url.protocol, proxy));
      const outgoing = start(
        url,
        proxy,
        { ...request.headers, "content-length": `${Buffer.byteLength(request.body)}` },
        agent,
      );
      // Limits the whole exchange: the socket's timeout would restart with each byte.
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no response within ${request.timeoutMs} ms`)),
        request.timeoutMs,
      );
      timer.unref();
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        settle();
      };
      outgoing.on("socket", (socket) => socket.unref());
      outgoing.on("error", (error) => finish(() => reject(error)));
      outgoing.on("response", (response) => {
        let detail = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (detail = (detail + part).slice(0, 300)));
        response.on("error", (error) => finish(() => reject(error)));
        response.on("end", () => finish(() => resolve(answerOf(response, detail))));
        response.on("close", () => finish(() => reject(new Error("the response ended early"))));
      });
      outgoing.end(request.body);
    });
}

function start(
  url: URL,
  proxy: URL | undefined,
  headers: Record<string, string>,
  agent: Http.Agent,
): Http.ClientRequest {
  if (url.protocol === "https:")
    return builtin("node:https").request(url, { method: "POST", agent, headers });
  const { request } = builtin("node:http");
  if (!proxy) return request(url, { method: "POST", agent, headers });
  return request(proxy, {
    method: "POST",
    agent,
    path: url.href,
    headers: { ...headers, ...proxyHeaders(proxy), host: url.host },
  });
}

function answerOf({ statusCode = 0, headers }: Http.IncomingMessage, detail: string): SendResult {
  const { location } = headers;
  return {
    status: statusCode,
    retryAfter: inSeconds(headers["retry-after"]),
    contentType: headers["content-type"],
    location,
    detail,
  };
}

/** `Retry-After` may also be a date. */
function inSeconds(header: string | undefined): string | undefined {
  const date = header && Number.isNaN(Number(header)) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? header : `${Math.max(0, (date - Date.now()) / 1000)}`;
}

function createAgent(protocol: string, proxy: URL | undefined): Http.Agent {
  const options = { keepAlive: true, maxSockets: 4, timeout: 60_000 };
  if (protocol !== "https:") return new (builtin("node:http").Agent)(options);
  const agent = new (builtin("node:https").Agent)(options);
  if (proxy) Object.assign(agent, { createConnection: tunnel(proxy) });
  return agent;
}

type Connected = (error: Error | null, socket?: Duplex) => void;

/** Returns an agent's `createConnection` that connects through a proxy. */
function tunnel(proxy: URL) {
  return (target: { host: string; port: number; servername?: string }, connected: Connected): void => {
    const { request } = builtin(proxy.protocol === "https:" ? "node:https" : "node:http");
    const connect = request(proxy, {
      method: "CONNECT",
      path: `${target.host}:${target.port}`,
      headers: { ...proxyHeaders(proxy), host: `${target.host}:${target.port}` },
      agent: false,
    });
    connect.on("socket", (socket) => socket.unref());
    connect.on("error", (error) => connected(error));
    connect.on("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) connected(null, builtin("node:tls").connect({ ...target, socket }));
      else connected(new Error(`the proxy responded with ${statusCode}`));
    });
    connect.end();
  };
}
