import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ErrorEventBody } from "../src/core/event.ts";

/** A server that accepts and records events, from pages of any origin, too. */
export async function startRecorder() {
  const events: ErrorEventBody[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (text += part));
    request.on("end", () => {
      if (request.method === "POST") events.push(JSON.parse(text) as ErrorEventBody);
      server.emit("event");
      const cors = {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "authorization, content-type",
      };
      response.writeHead(request.method === "POST" ? 202 : 204, cors).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    /** Waits until each of these messages has arrived. Rejects after `ms`, naming those that are missing. */
    async received(messages: readonly string[], ms: number): Promise<void> {
      const signal = AbortSignal.timeout(ms);
      const missing = () => messages.filter((message) => !events.some((event) => event.message === message));
      while (missing().length > 0)
        await once(server, "event", { signal }).catch((cause: unknown) => {
          throw new Error(`not reported within ${ms / 1000} s: ${missing().join("; ")}`, { cause });
        });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
