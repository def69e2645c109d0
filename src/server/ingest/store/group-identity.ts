import { hash } from "node:crypto";
import type { ReadEvent } from "../read/read-event.ts";

/** Identifies the group of an event. */
export const groupOf = (
  projectId: number,
  { fingerprint, environment }: Pick<ReadEvent, "fingerprint" | "environment">,
): string => `${projectId} ${fingerprint.toString("latin1")}${environment}`;

/** The column `key` of `error_groups`. */
export const keyOf = (identity: string): Buffer => hash("sha256", identity, "buffer");
