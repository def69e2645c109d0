import { useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { messageOf } from "../../api/client.ts";
import { retryWhenLimited } from "../../api/retry-when-limited.ts";
import { type Outcome, summaryOf } from "../../api/run-bounded.ts";
import { changeIssues, deleteIssue } from "./change-issues.ts";
import type { IssueChanges } from "./issue-changes.ts";
import { runInOrder } from "./issue-order.ts";
import { beginChange, toast } from "../../kit/notices/toast.ts";
import type { Change, Undo } from "../../kit/notices/undo-steps.ts";
import { cancelQueued } from "../offline/send-or-queue.ts";
import { noticeOfClosing, useOpenPage } from "./report-closing.ts";
import { undoOf } from "./undo-issues.ts";

export type ChangeOf = (issue: Issue) => IssueChanges;

/** Returns the issues that the server has changed, as they are now. */
export type ChangeIssues = (issues: readonly Issue[], changeOf: ChangeOf) => Promise<readonly Issue[]>;

/** Changes issues optimistically and summarizes the outcome in one message. The change can be undone. */
export function useBulkChange() {
  const client = useQueryClient();
  const open = useOpenPage();

  const change: ChangeIssues = async (issues, changeOf) => {
    const begun = beginChange();
    const { outcomes, changed, queued } = await changeIssues(
      client,
      issues.map((issue) => ({ issue, changes: changeOf(issue) })),
    );
    const undo =
      changed.length + queued.length > 0
        ? async () => {
            for (const { id } of queued) await cancelQueued(client, id);
            if (changed.length > 0) await undoOf(client, changed)();
          }
        : undefined;
    // The page already says that they wait.
    if (undo && queued.length === outcomes.length) {
      begun.done(undo);
      return [];
    }
    const closing = await noticeOfClosing(client, changed, open);
    if (closing !== undefined || outcomes.length > 1 || outcomes.some((outcome) => "error" in outcome))
      showOutcome(
        outcomes,
        "changed",
        outcomes.map(({ item }) => item.issue),
        { ...(undo && { change: begun, undo }), closing },
      );
    else if (undo) begun.done(undo);
    if (undo === undefined) begun.failed();
    return changed.map(({ after }) => after);
  };

  const remove = async (issues: readonly Issue[]) => {
    const outcomes = await runInOrder(
      client,
      issues.map((issue) => ({ issue })),
      ({ issue }) => retryWhenLimited(() => deleteIssue(issue)),
    );
    showOutcome(outcomes, "deleted", issues);
    await client.invalidateQueries({ queryKey: ["issue"] });
  };
  return { change, remove };
}

type Closing = Awaited<ReturnType<typeof noticeOfClosing>>;

function showOutcome(
  outcomes: readonly Outcome<unknown>[],
  done: string,
  issues: readonly Issue[],
  { closing, ...undoable }: { change?: Change; undo?: Undo; closing?: Closing } = {},
) {
  const refusal = outcomes.find((outcome) => "error" in outcome);
  const [only, ...others] = issues;
  toast({
    ...closing,
    title:
      refusal && others.length === 0
        ? `${only?.key} could not be ${done}.`
        : others.length === 0 && closing !== undefined
          ? closing.title
          : summaryOf(outcomes, done),
    ...(refusal && { description: messageOf(refusal.error) }),
    tone: refusal ? "danger" : "success",
    subjects: issues.map(({ id }) => `issue:${id}`),
    ...undoable,
  });
}
