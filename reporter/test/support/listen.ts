import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts an HTTP server on a free port. */
export async function listen(listener: RequestListener | Server) {
  const server = typeof listener === "function" ? createServer(listener) : listener;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** Requests a path and returns the response's status. */
    async get(path: string, init?: RequestInit): Promise<number> {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      await response.text();
      return response.status;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
