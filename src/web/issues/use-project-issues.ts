import { useQuery } from "@tanstack/react-query";
import { allIssuesQuery, newestIssuesQuery } from "../data/issues/issues.ts";
import { asGrouping, asSort } from "./issue-groups.ts";
import type { Search } from "./use-view.ts";

/** The issues of a project. Until all have been read, these are the newest ones, in views in which the others follow them. */
export function useProjectIssues(projectId: number, view: Search) {
  const query = useQuery(allIssuesQuery(projectId));
  const newest = useQuery(newestIssuesQuery(projectId)).data;
  const isNewestFirst = asSort(view["sort"]) === "created" && asGrouping(view["group"]) === undefined;
  return {
    query,
    issues: query.data ?? (isNewestFirst ? newest : undefined),
    isComplete: query.data !== undefined,
  };
}
