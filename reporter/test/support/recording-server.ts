import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ErrorEventBody } from "../../src/core/event.ts";

interface Arrival {
  path: string;
  authorization: string | undefined;
  proxyAuthorization: string | undefined;
  body: ErrorEventBody;
}

/** Responds to a request whose body has been read. */
type Behavior = (response: ServerResponse, request: IncomingMessage) => void;

export const accept: Behavior = (response) => void response.writeHead(202).end();
export const stall: Behavior = () => {};
export const closeEarly: Behavior = (response) => void response.destroy();
/** Closes the connection in the middle of the response. */
export const partialResponse: Behavior = (response) => {
  response.writeHead(202, { "content-length": 100 });
  response.write("part", () => response.destroy());
};
export const status =
  (code: number, headers: Record<string, string> = {}): Behavior =>
  (response) =>
    void response.writeHead(code, { "content-type": "application/json", ...headers }).end('{"message":"no"}');

/** A server that records requests. It responds with `behaviors` in order, then accepts all further requests. */
export async function recordingServer(...behaviors: Behavior[]) {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (text += part));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      arrivals.push({
        path,
        authorization: headers.authorization,
        proxyAuthorization: headers["proxy-authorization"],
        body: JSON.parse(text) as ErrorEventBody,
      });
      server.emit("arrival");
      (behaviors.shift() ?? accept)(response, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    arrivals,
    /** The recorded bodies, oldest first. */
    events: () => arrivals.map(({ body }) => body),
    /** Resolves to the bodies once at least `count` have arrived. */
    async received(count: number): Promise<ErrorEventBody[]> {
      while (arrivals.length < count) await once(server, "arrival");
      return arrivals.map(({ body }) => body);
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
    [Symbol.asyncDispose](): Promise<void> {
      return this.close();
    },
  };
}

export type RecordingServer = Awaited<ReturnType<typeof recordingServer>>;
