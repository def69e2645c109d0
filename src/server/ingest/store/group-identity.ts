import { hash } from "node:crypto";
import type { ReadEvent } from "../read/read-event.ts";
import { RecentTexts } from "../../caches/recent-texts.ts";

/** Identifies the group of an event. */
export const groupOf = (
  projectId: number,
  { fingerprint, environment }: Pick<ReadEvent, "fingerprint" | "environment">,
): string => `${projectId} ${fingerprint.toString("latin1")}${environment}`;

/** The column `key` of `error_groups`. */
export function keyOf(identity: string): Buffer {
  let key = keys.get(identity);
  if (!key) keys.set(identity, (key = hash("sha256", identity, "buffer")));
  return key;
}

/** Cached, because consecutive batches mostly contain the same groups. */
const keys = new RecentTexts<Buffer>(200_000);
