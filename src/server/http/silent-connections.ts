import type { Server } from "node:http";
import type { Socket } from "node:net";
import { latestResponse, rememberResponses } from "./latest-response.ts";

/** How long a client may send and read nothing, in milliseconds. */
export const SILENT_MS = 30_000;

/**
 * Closes connections on which nothing has been sent or received for `silentMs`: of clients that read nothing of their
 * response, and idle ones. A request that the server is still working on keeps its connection.
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
