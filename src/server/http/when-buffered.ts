import type { IncomingMessage } from "node:http";

/**
 * Calls `done` once the whole body is in the request's buffer, and can be read at once. Also calls it if the buffer is full
 * before that, if `waitMs` have passed, and if the client disconnects: then the request is not `complete`. Reads nothing.
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
