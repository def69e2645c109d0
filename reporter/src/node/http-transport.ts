import type * as Http from "node:http";
import type { Answer, Outgoing } from "../core/transport.ts";
import { builtin } from "./builtin.ts";

type Agents = Partial<Record<string, Http.Agent>>;

/** The transport of Node. It has its own agent, and its sockets do not keep the process alive. */
export function createHttpTransport(): (request: Outgoing) => Promise<Answer> {
  const agents: Agents = {};

  return (request) =>
    new Promise((resolve, reject) => {
      const url = new URL(request.url);
      const http = builtin(url.protocol === "https:" ? "node:https" : "node:http");
      const agent = (agents[url.protocol] ??= new http.Agent({
        keepAlive: true,
        maxSockets: 4,
        timeout: 60_000,
      }));
      const headers = { ...request.headers, "content-length": Buffer.byteLength(request.body) };
      const outgoing = http.request(url, { method: "POST", agent, headers });
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
        response.on("end", () =>
          finish(() =>
            resolve({
              status: response.statusCode ?? 0,
              retryAfter: response.headers["retry-after"],
              detail,
            }),
          ),
        );
        response.on("close", () => finish(() => reject(new Error("the response ended early"))));
      });
      outgoing.end(request.body);
    });
}
