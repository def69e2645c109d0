import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import { byIdOf, projectsOfUnknownBlockers } from "./blocked.ts";
import { allIssuesQuery } from "../data/issues/issues.ts";

/**
 * The issues of a partial list and those that may block them. If a blocker is not in the list, all issues of its project
 * are read.
 */
export function useBlockers(issues: readonly Issue[] | undefined): ReadonlyMap<number, Issue> {
  const own = useMemo(() => byIdOf(issues ?? []), [issues]);
  const projectIds = useMemo(() => projectsOfUnknownBlockers(own), [own]);
  const others = useQueries({ queries: projectIds.map((id) => allIssuesQuery(id)), combine: together });
  return useMemo(() => new Map([...byIdOf(others), ...own]), [others, own]);
}

const together = (results: readonly { data: Issue[] | undefined }[]) =>
  results.flatMap(({ data }) => data ?? []);
