import type { QueryClient } from "@tanstack/react-query";
import type { Report } from "../../../shared/reports.ts";
import { setCopy } from "../cache/cached-copies.ts";
import { byRank } from "../issues/issues.ts";
import { waitingReportsQuery } from "../projects/overview.ts";
import { patchEverywhere, removeEverywhere } from "../cache/patch-everywhere.ts";
import { isOlder, readByIds } from "../cache/read-by-ids.ts";
import { reportQuery, reportsPath, reportsQuery } from "./reports.ts";

/** Brings changed reports up to date in the cache. Returns how many requests that takes. */
export function readReports(client: QueryClient, projectId: number, ids: number[]): number {
  const isOf = ([kind, project]: readonly unknown[]) =>
    kind === "report" && (project === projectId || project === null);
  const lists = [reportsQuery(projectId), waitingReportsQuery(projectId)].flatMap(({ queryKey }) =>
    client.getQueryCache().findAll({ queryKey }),
  );
  return readByIds<Report>(client, {
    kind: "report",
    ids,
    path: reportsPath(projectId),
    rowsOf: (reports: Report[]) => reports,
    isAbout: ({ queryKey }) => isOf(queryKey),
    lists,
    put: (report) => {
      // The response to a move contains every report.
      if (client.isMutating({ mutationKey: ["reorder", projectId] }) > 0 || isOlder(client, "report", report))
        return;
      for (const list of lists) {
        const reports = list.state.data as Report[] | undefined;
        if (reports) setCopy(client, list, withReport(reports, report, list.queryKey[2] === "waiting"));
      }
      patchEverywhere(client, "report", report.id, report);
    },
    drop: (id) => {
      removeEverywhere(client, "report", id);
      void client.invalidateQueries({ queryKey: reportQuery(projectId, id).queryKey });
    },
    isDerived: ({ queryKey }) => {
      const [, , what, id] = queryKey;
      return isOf(queryKey) && what === "attachments" && ids.includes(Number(id));
    },
  });
}

/** The queue with the report in its place. If its rank is the same, its place is too. */
export function withReport(
  reports: readonly Report[],
  report: Report,
  isOnlyActive: boolean,
): readonly Report[] {
  const old = reports.find(({ id }) => id === report.id);
  const isLeft = isOnlyActive && (report.promoted_at !== null || report.dismissed_at !== null);
  if (old?.rank === report.rank && !isLeft) return reports.map((other) => (other === old ? report : other));
  const others = reports.filter((other) => other !== old);
  if (isLeft) return others;
  const place = others.findIndex((other) => byRank(report, other) < 0);
  return others.toSpliced(place === -1 ? others.length : place, 0, report);
}
