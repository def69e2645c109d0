import { useQueryClient } from "@tanstack/react-query";
import type { Issue } from "../../shared/issues.ts";
import { api, messageOf } from "../api/client.ts";
import { MAX_CONCURRENT, retryWhenLimited } from "../api/retry-when-limited.ts";
import { toast } from "../kit/toast.ts";
import type { IssueChanges } from "../data/issues.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { type Outcome, runBounded, summaryOf } from "../api/run-bounded.ts";

export type ChangeOf = (issue: Issue) => IssueChanges;

/**
 * Changes issues optimistically, with one request each, and summarizes the outcome in one message. Issues that would
 * not change are skipped.
 */
export function useBulkChange() {
  const client = useQueryClient();

  const change = async (issues: readonly Issue[], changeOf: ChangeOf) => {
    const work = issues
      .map((issue) => ({ issue, changes: changeOf(issue) }))
      .filter(({ issue, changes }) => changesAny(issue, changes))
      .map(({ issue, changes }) => ({
        issue,
        changes,
        undo: patchEverywhere(client, "issue", issue.id, changes as Partial<Issue>),
      }));
    const outcomes = await runBounded(work, MAX_CONCURRENT, async ({ issue, changes, undo }) => {
      try {
        const answer = await retryWhenLimited(() =>
          api.patch<Issue>(`/api/projects/${issue.project_id}/issues/${issue.id}`, changes),
        );
        patchEverywhere(client, "issue", issue.id, answer);
      } catch (error) {
        undo();
        throw error;
      }
    });
    if (work.length > 1 || outcomes.some((outcome) => "error" in outcome)) showOutcome(outcomes, "changed");
    // The page of an issue shows its history, so its queries are stale.
    void client.invalidateQueries({ queryKey: ["issue"], refetchType: "none" });
    if (outcomes.some((outcome) => "error" in outcome))
      void client.invalidateQueries({ queryKey: ["issue"] });
  };

  const remove = async (issues: readonly Issue[]) => {
    const outcomes = await runBounded(issues, MAX_CONCURRENT, (issue) =>
      retryWhenLimited(() => api.delete(`/api/projects/${issue.project_id}/issues/${issue.id}`)),
    );
    showOutcome(outcomes, "deleted");
    await client.invalidateQueries({ queryKey: ["issue"] });
  };
  return { change, remove };
}

function showOutcome(outcomes: readonly Outcome<unknown>[], done: string) {
  const refusal = outcomes.find((outcome) => "error" in outcome);
  toast({
    title: summaryOf(outcomes, done),
    description: refusal && messageOf(refusal.error),
    tone: refusal ? "danger" : "success",
  });
}

function changesAny(issue: Issue, changes: IssueChanges): boolean {
  return Object.entries(changes).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(issue[name as keyof Issue]),
  );
}
