import type { Tx } from "../db/connect.ts";
import { noteChange } from "./changed-objects.ts";

/** `kind` is the changed field, or `created`; `from` and `to` are the field's values. */
export type HistoryEntry = {
  issue_id: number;
  kind: string;
  from?: unknown;
  to?: unknown;
  /** What webhooks are told but the history does not keep. */
  texts?: { from: unknown; to: unknown };
};

/** What webhooks are told of an issue that changes lanes. */
type Move = "moved" | "closed" | "reopened";

/** Notes what the entries of the history say. Who moves issues notes that itself, because the lanes' kinds decide which event it is. */
export function noteIssueChanges(tx: Tx, entries: HistoryEntry[]): void {
  for (const { issue_id: id, kind: field, from = null, to = null, texts } of entries) {
    if (field === "lane_id" || field === "regressed") continue;
    if (field === "created") noteChange(tx, { type: "issue.created", kind: "issue", id });
    else
      noteChange(tx, {
        type: "issue.updated",
        kind: "issue",
        id,
        changes: { [field]: texts ?? { from, to } },
      });
  }
}

/** Notes that issues changed lanes: closed or reopened if only one of the lanes is of the kind done. */
export function noteMoves(
  tx: Tx,
  ids: number[],
  { wasClosed, isClosed }: { wasClosed: boolean; isClosed: boolean },
): void {
  const move: Move = wasClosed === isClosed ? "moved" : isClosed ? "closed" : "reopened";
  for (const id of ids) noteChange(tx, { type: `issue.${move}`, kind: "issue", id });
}
