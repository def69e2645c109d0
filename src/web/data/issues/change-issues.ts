import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { api } from "../../api/client.ts";
import { retryWhenLimited } from "../../api/retry-when-limited.ts";
import type { Outcome } from "../../api/run-bounded.ts";
import type { ChangedIssue, IssueChanges } from "./issue-changes.ts";
import { changesInFlight, runInOrder } from "./issue-order.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { Queued } from "../offline/queued-changes.ts";
import { sendOrQueue } from "../offline/send-or-queue.ts";
import { fieldsChange } from "./queued-issue.ts";

export type IssueChange = { issue: Issue; changes: IssueChanges };

/**
 * Changes issues optimistically, with one request each, after earlier changes of their projects. Issues that would not change are skipped. `changed` are those
 * that the server has changed; `queued` are changes that wait for the connection.
 */
export async function changeIssues(
  client: QueryClient,
  wanted: readonly IssueChange[],
): Promise<{ outcomes: Outcome<IssueChange>[]; changed: ChangedIssue[]; queued: Queued[] }> {
  const changed: ChangedIssue[] = [];
  const queued: Queued[] = [];
  const work = wanted
    .filter(({ issue, changes }) => changesAny(issue, changes))
    .map((change) => ({
      ...change,
      revert: patchEverywhere(client, "issue", change.issue.id, change.changes as Partial<Issue>),
    }));
  const outcomes = await runInOrder(client, work, async ({ issue, changes, revert }) => {
    try {
      const after = await retryWhenLimited(() =>
        sendOrQueue<Issue>(client, fieldsChange(issue, changes, issue)),
      );
      if (after instanceof Queued) return void queued.push(after);
      // The response to a later change will include this one.
      if (changesInFlight(client, issue) === 1) patchEverywhere(client, "issue", issue.id, after);
      changed.push({ before: issue, after, fields: Object.keys(changes) });
    } catch (error) {
      revert();
      throw error;
    }
  });
  // The page of an issue shows its history, so its queries are stale.
  void client.invalidateQueries({ queryKey: ["issue"], refetchType: "none" });
  if (outcomes.some((outcome) => "error" in outcome)) void client.invalidateQueries({ queryKey: ["issue"] });
  return { outcomes, changed, queued };
}

export const deleteIssue = ({ id, project_id }: Pick<Issue, "id" | "project_id">) =>
  api.delete(`/api/projects/${project_id}/issues/${id}`);

export function changesAny(issue: Issue, changes: IssueChanges): boolean {
  return Object.entries(changes).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(issue[name as keyof Issue]),
  );
}
