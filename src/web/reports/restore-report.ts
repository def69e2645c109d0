import type { QueryClient } from "@tanstack/react-query";
import type { Report } from "../../shared/reports.ts";
import { api } from "../api/client.ts";
import { pendingDismissals, waitForDismissals } from "../data/pending-dismissals.ts";
import { putReports, reportsPath } from "../data/reports.ts";
import { showFailure } from "../forms/show-failure.ts";
import { beginChange, flushDelayed, toast } from "../kit/toast.ts";

/** Returns a dismissed report to the end of the queue; returns whether that succeeded. Undo dismisses it again. */
export async function restoreReport(client: QueryClient, report: Report): Promise<boolean> {
  const subjects = [`report:${report.id}`];
  const path = `${reportsPath(report.project_id)}/${report.id}`;
  const send = async (action: string, failed: string, body?: object) => {
    try {
      putReports(client, [await api.post<Report>(`${path}/${action}`, body)]);
      return true;
    } catch (error) {
      showFailure(failed, error, subjects);
      return false;
    } finally {
      // Its rank has changed, or someone else has changed the report.
      void client.invalidateQueries({ queryKey: ["report", report.project_id] });
    }
  };
  const change = beginChange();
  // The server does not know of a dismissal that could still be undone.
  if (pendingDismissals.get().has(report.id)) {
    flushDelayed();
    await waitForDismissals(PENDING_MS);
  }
  const isRestored = await send("restore", `“${report.title}” could not be restored`);
  if (!isRestored) change.failed();
  else
    toast({
      title: `Report #${report.id} is back at the end of the queue`,
      tone: "success",
      subjects,
      change,
      undo: () => send("dismiss", `“${report.title}” could not be dismissed again`, dismissalOf(report)),
    });
  return isRestored;
}

const PENDING_MS = 10_000;

/** The request that dismisses the report as it was dismissed. The oldest dismissals have no reason. */
function dismissalOf({ dismiss_reason, dismiss_reason_note, duplicate_of }: Report) {
  const original = Object.entries(duplicate_of ?? {}).filter(([, id]) => id !== null);
  return {
    category: dismiss_reason ?? "not-planned",
    ...(dismiss_reason_note === null ? {} : { note: dismiss_reason_note }),
    ...(original.length === 0 ? {} : { duplicate_of: Object.fromEntries(original) }),
  };
}
