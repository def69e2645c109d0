import type { QueryClient } from "@tanstack/react-query";
import type { Report } from "../../shared/reports.ts";
import { api, ApiError, messageOf } from "../api/client.ts";
import { pacedQueue, type QueueProgress } from "../api/paced-queue.ts";
import { type Dismissal, hold, release } from "../data/pending-dismissals.ts";
import { putReports, reportsPath } from "../data/reports.ts";
import { onReturn } from "../kit/on-return.ts";
import { toast } from "../kit/toast.ts";
import { reasonLabel } from "./dismiss-reasons.ts";

/** Dismisses reports after 6 seconds or when the page is closed. Until then it can be undone. */
export function dismissReports(client: QueryClient, reports: readonly Report[], dismissal: Dismissal): void {
  const ids = reports.map(({ id }) => id);
  hold(ids, dismissal);
  const what = ids.length === 1 ? `Report #${ids[0]}` : `${ids.length} reports`;
  toast({
    title: `${what} dismissed: ${reasonLabel(dismissal.category).toLowerCase()}`,
    subjects: ids.map((id) => `report:${id}`),
    undo: () => release(ids),
    run: ({ leaving }) => {
      const items = reports.map((report) => ({ client, report, dismissal }));
      if (leaving) sendLast(items);
      else queue.add(items);
    },
  });
}

type Item = { client: QueryClient; report: Report; dismissal: Dismissal };

/** All dismissals of the page, because they share one rate limit. */
const queue = pacedQueue<Item>({
  send: async ({ client, report, dismissal }) => {
    putReports(client, [await api.post<Report>(...requestOf(report, dismissal))]);
    release([report.id]);
  },
  onFailure: ({ client, report }, error) => {
    const why = error instanceof ApiError ? (error.of("category") ?? originalErrorOf(error)) : undefined;
    toast({
      title: `“${report.title}” could not be dismissed.`,
      description: why ?? messageOf(error),
      tone: "danger",
      subjects: [`report:${report.id}`],
    });
    void client
      .invalidateQueries({ queryKey: ["report", report.project_id] })
      .finally(() => release([report.id]));
  },
  onProgress: showProgress,
});

/** For example, the original was deleted meanwhile. */
function originalErrorOf(error: ApiError): string | undefined {
  const why = error.of("duplicate_of.report_id") ?? error.of("duplicate_of.issue_id");
  return why === undefined ? undefined : `The original ${why}.`;
}

/** A single dismissal is shown only if it has to wait. */
function showProgress({ done, failed, stopped, left, isWaiting }: QueueProgress): void {
  const of = done + failed + left;
  const subjects = ["dismissals"];
  if (left > 0) {
    if (of === 1 && !isWaiting) return;
    addEventListener("beforeunload", askBeforeLeaving);
    return toast({
      title: `Dismissing ${of === 1 ? "a report" : `${of} reports`}`,
      description: isWaiting ? "Waiting, because the server limits dismissals per minute." : undefined,
      progress: { value: of - left, max: of },
      subjects,
      action: { label: "Stop", onSelect: stop },
    });
  }
  removeEventListener("beforeunload", askBeforeLeaving);
  if (stopped > 0)
    toast({
      title: `${done} ${done === 1 ? "report" : "reports"} dismissed`,
      description: `${stopped} ${stopped === 1 ? "was" : "were"} not dismissed, because you stopped.`,
      subjects,
    });
  else if (of > 1) toast({ title: `${done} of ${of} reports dismissed`, subjects, tone: "success" });
}

function stop(): void {
  release(queue.stop().map(({ report }) => report.id));
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * The page cannot read the responses. If the browser restores the page, it reloads the reports. The server dismisses
 * only as many as its rate limit allows, which is why the browser asks before leaving.
 */
function sendLast(items: readonly Item[]): void {
  if (items.length === 0) return;
  for (const { report, dismissal } of items) api.postLast(...requestOf(report, dismissal)).catch(() => {});
  onReturn(() => {
    for (const { client, report } of items) {
      release([report.id]);
      void client.invalidateQueries({ queryKey: ["report", report.project_id] });
    }
  });
}

addEventListener("pagehide", () => sendLast(queue.stop()));

const requestOf = ({ id, project_id }: Report, { category, note, duplicateOf }: Dismissal) =>
  [
    `${reportsPath(project_id)}/${id}/dismiss`,
    {
      category,
      ...(note === undefined ? {} : { note }),
      ...(duplicateOf === undefined ? {} : { duplicate_of: duplicateOf }),
    },
  ] as const;
