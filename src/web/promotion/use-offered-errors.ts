import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Report } from "../../shared/reports.ts";
import { errorGroupQuery } from "../data/errors/error-groups.ts";
import { can, useProjects } from "../data/projects/projects.ts";

export type OfferedErrors = {
  /** The errors with which the reports came that are not linked to an issue yet. */
  groups: ErrorGroup[];
  isLoading: boolean;
  /** Those that are to be linked to the new issue: all unless the user unticks some. */
  chosen: number[];
  toggle: (id: number) => void;
};

/** The errors that can be linked to the issue to which the reports are promoted; none without the permissions. */
export function useOfferedErrors(projectId: number, reports: readonly Report[]): OfferedErrors {
  const project = useProjects().find(({ id }) => id === projectId);
  const mayLink =
    project?.features.error_tracking === true &&
    (["error-groups:read", "error-groups:update", "issues:read"] as const).every((permission) =>
      can(project, permission),
    );
  const ids = mayLink ? [...new Set(reports.flatMap(({ error_group_ids }) => error_group_ids))] : [];
  const [unticked, setUnticked] = useState<readonly number[]>([]);
  const { groups, isLoading } = useQueries({
    queries: ids.map((id) => errorGroupQuery(projectId, id)),
    combine: (results) => ({
      groups: results.flatMap(({ data }) => (data && data.linked_issue_id === null ? [data] : [])),
      isLoading: results.some((result) => result.isLoading),
    }),
  });
  return {
    groups,
    isLoading,
    chosen: groups.map(({ id }) => id).filter((id) => !unticked.includes(id)),
    toggle: (id) => setUnticked((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id])),
  };
}
