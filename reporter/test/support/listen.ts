import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves `listener` on a port of its own. */
export async function listening(listener: RequestListener | Server) {
  const server = typeof listener === "function" ? createServer(listener) : listener;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** Requests a path and answers the status. */
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
