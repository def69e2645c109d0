import type { QueryClient } from "@tanstack/react-query";
import type { Report } from "../../../shared/reports.ts";
import { api } from "../../api/client.ts";
import { pendingDismissals, waitForDismissals } from "./pending-dismissals.ts";
import { type NewChange, Queued } from "../offline/queued-changes.ts";
import { cancelQueued, sendOrQueue } from "../offline/send-or-queue.ts";
import { shownReport } from "./queued-report.ts";
import { putReports, reportsPath } from "./reports.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { beginChange, flushDelayed, toast } from "../../kit/notices/toast.ts";

/** Returns a dismissed report to its place in the queue; returns whether that succeeded. Undo dismisses it again. */
export async function restoreReport(client: QueryClient, report: Report): Promise<boolean> {
  const subjects = subjectsOf(report);
  const path = `${reportsPath(report.project_id)}/${report.id}`;
  const send = (action: string, failed: string, body?: object) =>
    sendChange(client, report, failed, async () => [await api.post<Report>(`${path}/${action}`, body)]);
  const change = beginChange();
  // The server does not know of a dismissal that could still be undone.
  if (pendingDismissals.get().has(report.id)) {
    flushDelayed();
    await waitForDismissals(PENDING_MS);
  }
  const failed = `“${report.title}” could not be restored`;
  const queued: Queued[] = [];
  const isRestored = await sendChange(client, report, failed, async () => {
    const answer = await sendOrQueue<Report>(client, restoring(report, `${path}/restore`));
    if (!(answer instanceof Queued)) return [answer];
    queued.push(answer);
    return [];
  });
  const [waiting] = queued;
  if (!isRestored) change.failed();
  else if (waiting) change.done(() => cancelQueued(client, waiting.id));
  else
    toast({
      title: `Report #${report.id} is back in the queue`,
      tone: "success",
      subjects,
      change,
      undo: () => send("dismiss", `“${report.title}” could not be dismissed again`, dismissalOf(report)),
    });
  return isRestored;
}

const restoring = (report: Report, path: string): NewChange => ({
  request: { method: "POST", path },
  shows: shownReport(report, {
    ...report,
    dismissed_at: null,
    dismiss_reason: null,
    dismiss_reason_note: null,
    duplicate_of: null,
  }),
  titleFor: () => `Report #${report.id} returned to the queue`,
});

/**
 * Returns a promoted report to its place in the queue; returns whether that succeeded. Its issue stays. Undo promotes it to the
 * issue again.
 */
export async function unpromoteReport(client: QueryClient, report: Report): Promise<boolean> {
  const { project_id, promoted_issue_id: issue, id } = report;
  const path = reportsPath(project_id);
  const change = beginChange();
  const failed = `“${report.title}” could not be returned to the queue`;
  const isReturned = await sendChange(client, report, failed, async () => [
    await api.post<Report>(`${path}/${id}/unpromote`),
  ]);
  if (!isReturned) change.failed();
  else
    toast({
      title: `Report #${id} is back in the queue`,
      tone: "success",
      subjects: subjectsOf(report),
      change,
      // Without its issue, the promotion cannot be repeated.
      ...(issue !== null && {
        undo: () =>
          sendChange(client, report, `“${report.title}” could not be promoted again`, () =>
            api.post<Report[]>(`${path}/link`, { report_ids: [id], issue }),
          ),
      }),
    });
  return isReturned;
}

const subjectsOf = ({ id }: Report) => [`report:${id}`];

async function sendChange(
  client: QueryClient,
  report: Report,
  failed: string,
  send: () => Promise<Report[]>,
): Promise<boolean> {
  try {
    putReports(client, await send());
    return true;
  } catch (error) {
    showFailure(failed, error, subjectsOf(report));
    return false;
  } finally {
    // Its rank has changed, or someone else has changed the report.
    void client.invalidateQueries({ queryKey: ["report", report.project_id] });
    void client.invalidateQueries({ queryKey: ["issue"] });
  }
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
