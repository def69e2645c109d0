import type { Server } from "node:http";
import type { Socket } from "node:net";
import { latestResponse, rememberResponses } from "./latest-response.ts";

/** How long a client may send and read nothing, in milliseconds. */
export const SILENT_MS = 30_000;

/**
 * Closes connections that have sent and received nothing for `silentMs`: idle ones, and those of clients that do not read their
 * response. Connections with a request that the server is still processing stay open.
 */
export function closeSilentConnections(server: Server, silentMs: number): void {
  rememberResponses(server);
  server.setTimeout(silentMs, (socket: Socket) => {
    const response = latestResponse(socket);
    const isWorking = response !== undefined && !response.writableFinished && socket.writableLength === 0;
    if (isWorking) socket.setTimeout(silentMs);
    else socket.destroy();
  });
}
