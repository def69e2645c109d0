import type { Permission } from "../../src/shared/permissions.ts";
import type { MarkerKind } from "./markers.ts";
import type { Principal } from "./principals.ts";
import type { Rule } from "./rules.ts";

/** What a route requires of callers, and what a test sends to it. */
export type Row = {
  need: "ingest-key" | "nothing" | "caller" | "session" | "member" | "administrator" | "access" | Permission;
  feature?: "reports" | "error_tracking";
  projectToken?: "read" | "read_write";
  ingestKey?: true | "only";
  tokenOnly?: true;
  /** The status for permitted callers. Default 200. */
  status?: number;
  /** Sent as JSON. Unless the row has an `effect`, it is invalid or changes nothing. */
  body?: unknown;
  /** Sends a multipart body without parts. */
  form?: true;
  /** `repeated`: every permitted principal sends it. `once`: only one of them does, at the end. */
  effect?: "repeated" | "once";
  /** Requirements beyond `need`. */
  rule?: Rule;
  /** The status by principal, for routes that need nothing. */
  statusOf?: (who: Principal) => number;
  /** Parameters of the path that can be any text, so that no value is unknown. */
  anyText?: readonly string[];
  /** What the response shows to everyone who knows the address. */
  shows?: readonly MarkerKind[];
  /** A POST that tokens without write access may send, too. */
  onlyReads?: true;
  /** The response does not end, so permitted principals do not request it. */
  endless?: true;
};

export const P = "/api/projects/:projectId";
export const W = "/api/workspaces/:workspaceId";

export const open = (status = 200, more: Partial<Row> = {}): Row => ({ need: "nothing", status, ...more });
export const read = (need: Row["need"], more: Partial<Row> = {}): Row => ({ need, ...more });
/** A request with an invalid body, which is rejected after all other checks. */
export const write = (need: Row["need"], body: unknown = {}, more: Partial<Row> = {}): Row => ({
  need,
  body,
  status: 422,
  ...more,
});
export const remove = (need: Row["need"], more: Partial<Row> = {}): Row => ({
  need,
  status: 204,
  effect: "once",
  ...more,
});
export const turn = (need: Row["need"], more: Partial<Row> = {}): Row => ({
  need,
  effect: "repeated",
  ...more,
});

export const reports = { feature: "reports" } as const;
export const errors = { feature: "error_tracking" } as const;
export const forTokens = { projectToken: "read" } as const;
export const forWritingTokens = { projectToken: "read_write" } as const;
export const wrongName = { name: 5 };
