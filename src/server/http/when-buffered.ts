import type { IncomingMessage } from "node:http";

/**
 * Calls `done` once the whole body is in the request's buffer, without reading it. Also calls it if the buffer is full, if
 * `waitMs` have passed, or if the client disconnects; the request is then not `complete`.
 */
export function whenBuffered(request: IncomingMessage, waitMs: number, done: () => void): void {
  const finish = () => {
    clearTimeout(timer);
    request.off("readable", onReadable).off("close", finish);
    done();
  };
  const onReadable = () => {
    if (request.complete || request.readableLength >= request.readableHighWaterMark) finish();
  };
  const timer = setTimeout(finish, waitMs);
  request.on("readable", onReadable).on("close", finish);
}
