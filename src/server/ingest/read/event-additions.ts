import type { DebugImage } from "../../../shared/source-maps.ts";
import { LEVELS, type Level } from "../../../shared/levels.ts";

/** A level that is unknown or was not sent counts as "error". */
export const readLevel = (sent: unknown): Level => LEVELS.find((level) => level === sent) ?? "error";

/** A UUID, with or without dashes, as 32 lowercase hexadecimal characters. Null for anything else. */
export function readEventId(sent: unknown): string | null {
  if (typeof sent !== "string" || !UUID.test(sent)) return null;
  const id = sent.replaceAll("-", "").toLowerCase();
  // Clients that cannot generate ids send zeros. Their events are not duplicates of each other.
  return id === NIL ? null : id;
}

const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i;
const NIL = "0".repeat(32);

/** `timestamp` is as sent. */
export type Breadcrumb = {
  timestamp: string | number | null;
  category: string | null;
  level: string | null;
  message: string | null;
  type: string | null;
  data: Record<string, unknown> | null;
};

/** The most characters of a line of source code, and of the names in a frame. */
export const MAX_LINE_LENGTH = 1_000;

/** Parts that were not sent are left out. */
export type Frame = {
  function?: string;
  filename?: string;
  module?: string;
  abs_path?: string;
  line?: number;
  column?: number;
  in_app?: boolean;
  context_line?: string;
  pre_context?: string[];
  post_context?: string[];
  vars?: Record<string, unknown>;
};

/** The parts of an event that are stored only if it is kept, without personal data and cut to their limits. */
export type EventAdditions = {
  tags: Record<string, string>;
  breadcrumbs: Breadcrumb[];
  request: { method: string | null; path: string | null; headers: Record<string, string> } | null;
  contexts: Record<string, unknown>;
  extra: Record<string, unknown>;
  /** Newest first. */
  frames: Frame[];
  /** Of files that the trace names. */
  debug_images?: DebugImage[];
  /** The parts that were cut. */
  truncated: string[];
  /** How many values each privacy rule removed. */
  removed: Record<string, number>;
};

/** Calls `read` only once, because reading the additions counts what is removed. */
export function once<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value === undefined ? (value = read()) : value);
}
