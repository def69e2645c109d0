import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const latest = new WeakMap<Socket, ServerResponse>();

/** Remembers the response to the latest request of every connection. */
export function rememberResponses(server: Server): void {
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) =>
    latest.set(socket, response),
  );
}

export function latestResponse(socket: Socket): ServerResponse | undefined {
  return latest.get(socket);
}
