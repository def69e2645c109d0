import type { QueryClient } from "@tanstack/react-query";
import type { Issue } from "../../../shared/issues.ts";
import { api, messageOf } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { toast } from "../../kit/notices/toast.ts";
import { entitiesIn, queriesOf } from "../cache/cached-copies.ts";
import { changeIssues } from "./change-issues.ts";
import type { ChangedIssue, IssueChanges, Move } from "./issue-changes.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";

/** Undoes a change of issues. An issue whose fields were changed again since is left alone. */
export async function restoreIssues(client: QueryClient, changed: readonly ChangedIssue[]): Promise<void> {
  const wanted = changed
    .filter((change) => isUnchangedSince(client, change))
    .map(({ before, after, fields }) => ({
      issue: after,
      changes: fieldsOf(before, fields) as IssueChanges,
    }));
  const { outcomes } = await changeIssues(client, wanted);
  const failure = outcomes.find((outcome) => "error" in outcome);
  const names = changed.length === 1 ? (changed[0]?.before.key ?? "") : `${changed.length} issues`;
  const skipped = changed.length - wanted.length;
  toast({
    title: skipped === changed.length ? `${names}: nothing undone` : `Change to ${names} undone`,
    description: failure
      ? messageOf(failure.error)
      : skipped > 0
        ? `Someone has changed ${changed.length === 1 ? "it" : `${skipped} of them`} since.`
        : undefined,
    tone: failure ? "danger" : "neutral",
    subjects: changed.map(({ before }) => `issue:${before.id}`),
  });
}

/** Moves a card back to `place`, unless it has been moved again since. */
export async function restorePlace(client: QueryClient, moved: Issue, place: Move): Promise<void> {
  const { id, key, project_id } = moved;
  const subjects = [`issue:${id}`];
  if (!isUnchangedSince(client, { before: moved, after: moved, fields: ["lane_id", "rank"] }))
    return toast({ title: `${key}: nothing undone`, description: "Someone has moved it since.", subjects });
  try {
    const { id: _id, ...body } = place;
    const issue = await api.post<Issue>(`/api/projects/${project_id}/issues/${id}/move`, body);
    patchEverywhere(client, "issue", id, issue);
    toast({ title: `${key} moved back`, subjects });
  } catch (error) {
    showFailure(`${key} could not be moved back`, error, subjects);
  } finally {
    void client.invalidateQueries({ queryKey: ["issue", project_id] });
  }
}

/** Copies that are not on screen may be older, but a copy never misses the page's own changes. */
function isUnchangedSince(client: QueryClient, { after, fields }: ChangedIssue): boolean {
  const expected = JSON.stringify(fieldsOf(after, fields));
  return queriesOf(client, "issue")
    .flatMap((query) => entitiesIn<"issue">(query))
    .every((copy) => copy.id !== after.id || JSON.stringify(fieldsOf(copy, fields)) === expected);
}

const fieldsOf = (issue: Issue, fields: readonly string[]): Partial<Issue> =>
  Object.fromEntries(fields.map((name) => [name, issue[name as keyof Issue]]));
