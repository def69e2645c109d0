import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import { byIdOf, projectsToAsk } from "./blocked.ts";
import { allIssuesQuery } from "../data/issues.ts";

/**
 * The issues of a list that is not all of a project's, and those that may block them: where such a one is not in the list,
 * the project's issues are read.
 */
export function useWithBlockers(issues: readonly Issue[] | undefined): ReadonlyMap<number, Issue> {
  const own = useMemo(() => byIdOf(issues ?? []), [issues]);
  const projectIds = useMemo(() => projectsToAsk(own), [own]);
  const others = useQueries({ queries: projectIds.map((id) => allIssuesQuery(id)), combine: together });
  return useMemo(() => new Map([...byIdOf(others), ...own]), [others, own]);
}

const together = (results: readonly { data: Issue[] | undefined }[]) =>
  results.flatMap(({ data }) => data ?? []);
