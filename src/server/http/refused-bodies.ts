import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Bytes. The rest of a shorter body is read and discarded, because it is cheaper than a new connection. */
const SHORT = 64 * 1024;

/**
 * Keeps a request that is refused before its body has arrived from blocking its connection: the response has the header
 * `Connection: close`, and the rest of the body is discarded until it ends or `lingerMs` have passed.
 */
export function closeRefusedConnections(app: FastifyInstance, lingerMs: number): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode >= 400) discardBody(request.raw, reply, lingerMs);
    done(null, payload);
  });
}

export function discardBody(request: IncomingMessage, reply: FastifyReply, lingerMs: number): void {
  // A partly read body blocks the connection until the rest has been read.
  request.resume();
  if (!mayBlock(request)) return;
  void reply.header("connection", "close");
  lingerAfter(request, lingerMs);
}

function mayBlock(request: IncomingMessage): boolean {
  const length = Number(request.headers["content-length"] ?? Infinity);
  // Requests that tests inject have no connection, and no `complete`.
  return "complete" in request && !request.complete && !request.destroyed && length > SHORT;
}

/**
 * Node calls `destroySoon` after a response with `Connection: close`. Closing a connection on which the client is still
 * sending resets it, and the client may lose the response. So only the sending side is closed at first.
 */
function lingerAfter(request: IncomingMessage, lingerMs: number): void {
  const socket: Socket = request.socket;
  socket.destroySoon = () => {
    const deadline = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(deadline));
    socket.end();
    if (request.complete) socket.destroy();
    else request.once("end", () => socket.destroy()).once("close", () => socket.destroy());
  };
}
