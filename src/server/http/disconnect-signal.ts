import type { ServerResponse } from "node:http";
import { badRequest } from "../answers/errors.ts";

/** Is aborted when the client disconnects before it has its response. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) abort.abort(disconnected());
  };
  // If the client is already gone, no further event will fire.
  if (response.destroyed) onClose();
  else response.once("close", onClose);
  return abort.signal;
}

/** Nobody receives this response. */
const disconnected = () => badRequest("The client disconnected.");
