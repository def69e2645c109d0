import { useQueryClient } from "@tanstack/react-query";
import type { Report } from "../../shared/reports.ts";
import { api, ApiError, messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.ts";
import { onReturn } from "../kit/on-return.ts";
import { undoable } from "../kit/undo-bar.tsx";
import { reasonLabel } from "./dismiss-reasons.ts";
import { type Dismissal, hold, release } from "../data/pending-dismissals.ts";
import { putReports, reportsPath } from "../data/reports.ts";

/** How often a rate-limited dismissal is retried. */
const MAX_RETRIES = 3;

/** Dismisses a report after 6 seconds or when the page is closed. Until then it can be undone. */
export function useDismiss(projectId: number) {
  const client = useQueryClient();

  const send = async (report: Report, dismissal: Dismissal, retries = 0): Promise<void> => {
    try {
      const dismissed = await api.post<Report>(...requestOf(report, dismissal));
      putReports(client, [dismissed]);
      release(report.id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 429 && retries < MAX_RETRIES) {
        setTimeout(() => void send(report, dismissal, retries + 1), (error.retryAfter ?? 10) * 1_000);
        return;
      }
      const why = error instanceof ApiError ? error.of("category") : undefined;
      toast({
        title: `“${report.title}” was not dismissed`,
        description: why ?? messageOf(error),
        tone: "danger",
      });
      await client.invalidateQueries({ queryKey: ["report", projectId] });
      release(report.id);
    }
  };

  return (report: Report, dismissal: Dismissal) => {
    hold(report.id, dismissal);
    undoable({
      message: `Report #${report.id} dismissed: ${reasonLabel(dismissal.category).toLowerCase()}`,
      onUndo: () => release(report.id),
      run: ({ leaving }) => {
        if (!leaving) return void send(report, dismissal);
        // The page cannot read the response. If the browser restores the page, it reloads the report.
        api.postLast(...requestOf(report, dismissal)).catch(() => {});
        onReturn(() => {
          release(report.id);
          void client.invalidateQueries({ queryKey: ["report", projectId] });
        });
      },
    });
  };
}

const requestOf = ({ id, project_id }: Report, { category, note }: Dismissal) =>
  [
    `${reportsPath(project_id)}/${id}/dismiss`,
    { category, ...(note === undefined ? {} : { note }) },
  ] as const;
