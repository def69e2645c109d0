import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Report } from "../../shared/reports.ts";

/** Returns a function that returns a dismissed or promoted report to the queue. `onRestored` is called with its id. */
export function useRestore(onRestored: (ids: readonly number[]) => void): (report: Report) => void {
  const client = useQueryClient();
  const latest = useRef(onRestored);
  useEffect(() => {
    latest.current = onRestored;
  });
  const restoring = useRef(new Set<number>());
  const send = async (report: Report) => {
    // Restoring is rare, so its code loads when it is needed.
    const { restoreReport, unpromoteReport } = await import("../data/reports/restore-report.ts");
    const restore = report.promoted_at === null ? restoreReport : unpromoteReport;
    if (await restore(client, report)) latest.current([report.id]);
  };
  return (report) => {
    if (restoring.current.has(report.id)) return;
    restoring.current.add(report.id);
    void send(report).finally(() => restoring.current.delete(report.id));
  };
}
