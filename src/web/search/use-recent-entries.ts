import { type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiError } from "../api/client.ts";
import { epicQuery } from "../data/projects/epics.ts";
import { errorGroupQuery } from "../data/errors/error-groups.ts";
import { issueQuery } from "../data/issues/issues.ts";
import { useProjects } from "../data/projects/projects.ts";
import { forgetItem, type RecentItem, recentItems } from "../data/recent-items.ts";
import { reportQuery } from "../data/reports/reports.ts";
import { useProfile } from "../data/account/session.ts";
import type { PaletteEntry } from "./palette-entries.ts";
import { type OpenedItem, recentItemEntries } from "./recent-items.ts";

const STALE_MS = 5 * 60_000;

/** The items that were opened last, latest first, except the one on screen. Items that cannot be read are left out. */
export function useRecentEntries(): PaletteEntry[] {
  const me = useProfile().id;
  const projects = useProjects();
  const shown = useRouterState({ select: ({ location }) => location.pathname });
  const [items] = useState(() => recentItems(me).filter(({ path }) => path !== shown));
  const known = items.flatMap((item) => {
    const project = projects.find(({ key }) => key === item.projectKey);
    return project ? [{ ...item, projectId: project.id }] : [];
  });
  const results = useQueries({
    queries: known.map((item) => ({ ...queryOf(item.projectId, item), staleTime: STALE_MS, retry: false })),
  });
  const gone = known
    .filter((_, index) => isGone(results[index]?.error))
    .map(({ path }) => path)
    .join(" ");
  useEffect(() => {
    for (const path of gone.split(" ")) forgetItem(me, path);
  }, [me, gone]);
  return recentItemEntries(
    known.map(({ path, page }, index) => ({ path, page, thing: results[index]?.data })),
  );
}

/** The query of the item's page, so that what is loaded already is not requested again. */
function queryOf(projectId: number, { page, ref }: RecentItem): UseQueryOptions<OpenedItem> {
  const query = {
    issues: () => issueQuery(projectId, ref),
    epics: () => epicQuery(projectId, ref),
    reports: () => reportQuery(projectId, ref),
    errors: () => errorGroupQuery(projectId, Number(ref)),
  }[page];
  return query() as unknown as UseQueryOptions<OpenedItem>;
}

const isGone = (error: unknown) =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);
