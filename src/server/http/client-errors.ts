import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { badRequest } from "../answers/errors.ts";
import { latestResponse } from "./latest-response.ts";

/** Maximum size of a request's headers in bytes. */
export const MAX_HEADER_BYTES = 16_384;

/** How long a client may take to receive such a response, in milliseconds. */
const LINGER_MS = 1_000;

/** Responds to a request that cannot be routed: it is not HTTP, its headers are too large, or it does not arrive in time. */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  securityHeaders: Record<string, string>,
): void {
  const response = latestResponse(socket);
  const hasBegun = response?.headersSent && !response.writableFinished;
  if (!socket.writable || error.code === "ECONNRESET" || hasBegun) return void socket.destroy();
  // Otherwise an earlier request, which has arrived completely and may have changed something, would get this error as its
  // response.
  if (response?.req.complete && !response.headersSent) return void (response.shouldKeepAlive = false);
  const [status, message] = describe(error.code);
  const body = JSON.stringify({ message });
  const headers = {
    ...securityHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function describe(code: string | undefined): [status: number, message: string] {
  if (code === "HPE_HEADER_OVERFLOW")
    return [431, `The headers are too large: at most ${MAX_HEADER_BYTES / 1_024} KB are accepted.`];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request did not arrive completely in time."];
  return [400, "The request is not valid HTTP."];
}

/** Handles requests that Node would answer without a body: HTTP/1.1 without `Host`, and unknown expectations. */
export function answerUnusualRequests(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, httpVersion } = request.raw;
    const lacksHost = headers.host === undefined && httpVersion === "1.1";
    done(lacksHost ? badRequest("Send a Host header.") : undefined);
  });
}
