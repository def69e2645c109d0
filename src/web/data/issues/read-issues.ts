import type { QueryClient } from "@tanstack/react-query";
import type { Page } from "../../../shared/answers.ts";
import type { Issue } from "../../../shared/issues.ts";
import { changesInFlight } from "./issue-order.ts";
import { dropIssue, listsOf, putIssue } from "./put-issue.ts";
import { isOlder, readByIds } from "../cache/read-by-ids.ts";
import { profileQuery } from "../account/session.ts";

/** Brings changed issues up to date in the cache. Returns how many requests that takes. */
export function readIssues(client: QueryClient, projectId: number, ids: number[]): number {
  const isOf = ([kind, project]: readonly unknown[]) =>
    kind === "issue" && (project === projectId || project === null);
  return readByIds<Issue>(client, {
    kind: "issue",
    ids,
    path: `/api/projects/${projectId}/issues`,
    rowsOf: ({ data }: Page<Issue>) => data,
    isAbout: ({ queryKey }) => isOf(queryKey),
    lists: listsOf(client, projectId),
    put: (issue) => {
      if (changesInFlight(client, issue) === 0 && !isOlder(client, "issue", issue))
        putIssue(client, issue, client.getQueryData(profileQuery.queryKey)?.id);
    },
    drop: (id) => dropIssue(client, projectId, id),
    isDerived: ({ queryKey }) => {
      const [, , what, id] = queryKey;
      if (!isOf(queryKey)) return false;
      return what === "lane-count" || what === "find" || (what === "activity" && ids.includes(Number(id)));
    },
  });
}
