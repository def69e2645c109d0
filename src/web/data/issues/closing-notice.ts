import type { QueryClient } from "@tanstack/react-query";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import type { Issue } from "../../../shared/issues.ts";
import { api, withQuery } from "../../api/client.ts";
import { countOf } from "../../kit/count-text.ts";
import type { Notice } from "../../kit/notices/notice-list.ts";
import type { ChangedIssue } from "./issue-changes.ts";
import { can, projectsQuery } from "../projects/projects.ts";

export type ClosedIssue = Pick<ChangedIssue, "before" | "after">;

/** Opens the page of an issue, or of one of its errors. */
export type OpenPage = (
  page: { projectKey: string; issue: string } | { projectKey: string; error: number },
) => void;

/**
 * Says that issues were closed and which errors this has resolved, if there are any. Undefined otherwise, and if they cannot be
 * read: the change itself is saved.
 */
export async function closingNotice(
  client: QueryClient,
  changed: readonly ClosedIssue[],
  open: OpenPage,
): Promise<Pick<Notice, "title" | "description" | "action"> | undefined> {
  const closed = changed.filter((change) => isClosed(change) && mayResolve(client, change.after));
  const [first, ...others] = closed;
  if (first === undefined) return undefined;
  const resolved = await Promise.all(closed.map(({ after }) => errorsResolvedBy(after))).catch(() => []);
  const errors = resolved.flat();
  const [error] = errors;
  if (error === undefined) return undefined;
  void client.invalidateQueries({ queryKey: ["error_group"] });
  const { key } = first.after;
  const projectKey = key.slice(0, key.lastIndexOf("-"));
  const isOne = errors.length === 1;
  return {
    title: others.length === 0 ? `${key} closed` : `${closed.length} issues closed`,
    description: `${isOne ? error.exception_class : countOf(errors.length, "error")} resolved in the next release.`,
    action: isOne
      ? { label: "Open the error", onSelect: () => open({ projectKey, error: error.id }) }
      : { label: "Show the errors", onSelect: () => open({ projectKey, issue: key }) },
  };
}

const isClosed = ({ before, after }: ClosedIssue) => before.closed_at === null && after.closed_at !== null;

function mayResolve(client: QueryClient, { project_id, error_group_ids }: Issue): boolean {
  const project = client.getQueryData(projectsQuery.queryKey)?.find(({ id }) => id === project_id);
  return (
    error_group_ids.length > 0 &&
    project !== undefined &&
    project.lifecycle.close_resolves &&
    project.features.error_tracking &&
    can(project, "error-groups:read")
  );
}

/** The errors that were resolved with the issue: not before it was closed. */
async function errorsResolvedBy({ project_id, error_group_ids, closed_at }: Issue) {
  const path = `/api/projects/${project_id}/error-groups`;
  const { data } = await api.get<ErrorGroupList>(withQuery(path, { ids: error_group_ids.join(), status: 1 }));
  return data.filter(
    ({ resolved_in, resolved_at }) =>
      resolved_in?.mode === "next_release" &&
      resolved_at !== null &&
      Date.parse(resolved_at) >= Date.parse(closed_at ?? ""),
  );
}
