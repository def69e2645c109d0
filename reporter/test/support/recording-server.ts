import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ErrorEventBody } from "../../src/core/event.ts";

interface Arrival {
  path: string;
  authorization: string | undefined;
  body: ErrorEventBody;
}

/** Answers one request; the body has been read. */
type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export const accept: Behaviour = (response) => void response.writeHead(202).end();
export const stall: Behaviour = () => {};
export const closeEarly: Behaviour = (response) => void response.destroy();
/** Begins an answer and cuts it off. */
export const halfAnswer: Behaviour = (response) => {
  response.writeHead(202, { "content-length": 100 });
  response.write("half", () => response.destroy());
};
export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(code, { "content-type": "application/json", ...headers }).end('{"message":"no"}');

/**
 * A server that keeps what arrives. It answers with `answers` in turn, then accepts.
 */
export async function recordingServer(...answers: Behaviour[]) {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (text += part));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      arrivals.push({ path, authorization: headers.authorization, body: JSON.parse(text) as ErrorEventBody });
      server.emit("arrival");
      (answers.shift() ?? accept)(response, request);
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
    /** The bodies that arrived, oldest first. */
    events: () => arrivals.map((one) => one.body),
    answerWith: (...more: Behaviour[]) => answers.push(...more),
    /** Resolves with the bodies once `count` of them arrived. */
    async received(count: number): Promise<ErrorEventBody[]> {
      while (arrivals.length < count) await once(server, "arrival");
      return arrivals.map((one) => one.body);
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
