import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import type { ChangedIssue, Move } from "./issue-changes.ts";

// Undoing is rare, so its code loads when it is needed.

/** Returns a function that undoes a change of issues. */
export const undoOf = (client: QueryClient, changed: readonly ChangedIssue[]) => () =>
  import("./restore-issues.ts").then(({ restoreIssues }) => restoreIssues(client, changed));

/** Returns a function that moves a card back to `place`. */
export const undoOfMove = (client: QueryClient, moved: Issue, place: Move) => () =>
  import("./restore-issues.ts").then(({ restorePlace }) => restorePlace(client, moved, place));
