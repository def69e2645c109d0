import type { ServerResponse } from "node:http";
import { badRequest } from "../answers/errors.ts";

/** The project and credential that files are examined for. The time is shared fairly among them. */
export type Uploader = { project: string; credential: string; signal: AbortSignal };

/** `signal` is aborted when the client disconnects before it has its response. */
export function uploaderOf(
  caller: { key: string },
  project: { id: number } | undefined,
  response: ServerResponse,
): Uploader {
  const abort = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) abort.abort(disconnected());
  };
  // If the client is already gone, no further event will fire.
  if (response.destroyed) onClose();
  else response.once("close", onClose);
  return { project: String(project?.id ?? "none"), credential: caller.key, signal: abort.signal };
}

/** Nobody receives this response. */
const disconnected = () => badRequest("The client disconnected.");
