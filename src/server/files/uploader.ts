import type { ServerResponse } from "node:http";
import type { Taker } from "../batching/fair-turns.ts";
import { disconnectSignal } from "../http/disconnect-signal.ts";

/** The project and credential that files are examined for. The time is shared fairly among them. */
export type Uploader = Taker;

export function uploaderOf(
  caller: { key: string },
  project: { id: number } | undefined,
  response: ServerResponse,
): Uploader {
  return {
    project: String(project?.id ?? "none"),
    credential: caller.key,
    signal: disconnectSignal(response),
  };
}
