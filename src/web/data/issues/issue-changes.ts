import type { z } from "zod";
import type { Issue, issueChanges } from "../../../shared/issues.ts";

export type IssueChanges = z.input<typeof issueChanges>;

/** An issue before a change of `fields` and after it, for undo. */
export type ChangedIssue = { before: Issue; after: Issue; fields: readonly string[] };

/** Moves a card on the board. */
export type Move = {
  id: number;
  lane_id: number;
  rank_before_id?: number | null;
  rank_after_id?: number | null;
};
