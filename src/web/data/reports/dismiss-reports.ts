import type { QueryClient } from "@tanstack/react-query";
import type { Report } from "../../../shared/reports.ts";
import { api, ApiError, messageOf } from "../../api/client.ts";
import { connectionLost } from "../../api/connection-lost.ts";
import { pacedQueue, type QueueProgress } from "../../api/paced-queue.ts";
import { type Dismissal, hold, release, waitForDismissals, withDismissal } from "./pending-dismissals.ts";
import { shownReport } from "./queued-report.ts";
import { type NewChange, Queued, queuedChanges } from "../offline/queued-changes.ts";
import { cancelQueued, sendOrQueue } from "../offline/send-or-queue.ts";
import { putReports, reportsPath } from "./reports.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { tellReturned } from "./returned-reports.ts";
import { onLeaving, onReturn } from "../../kit/leaving.ts";
import { toast } from "../../kit/notices/toast.ts";
import { reasonLabel } from "./dismiss-reasons.ts";

/**
 * Dismisses reports after 6 seconds or when the page is closed. Undo after that returns them to their places in the queue.
 * Without a connection, the dismissals are kept at once, because a page that is closed could not send them.
 */
export function dismissReports(client: QueryClient, reports: readonly Report[], dismissal: Dismissal): void {
  const ids = reports.map(({ id }) => id);
  const what = ids.length === 1 ? `Report #${ids[0]}` : `${ids.length} reports`;
  const title = `${what} dismissed: ${reasonLabel(dismissal.category).toLowerCase()}`;
  const subjects = ids.map((id) => `report:${id}`);
  hold(ids, dismissal);
  if (connectionLost.get()) {
    queue.add(reports.map((report) => ({ client, report, dismissal })));
    return toast({
      title,
      description: "Waiting for the connection",
      subjects,
      undo: () => cancelDismissals(client, ids),
    });
  }
  toast({
    title,
    subjects,
    undo: () => {
      release(ids);
      tellReturned(ids);
    },
    run: ({ leaving }) => {
      const items = reports.map((report) => ({ client, report, dismissal }));
      if (leaving) sendLast(items);
      else queue.add(items);
    },
    undoRun: () => returnToQueue(client, reports),
  });
}

async function cancelDismissals(client: QueryClient, ids: readonly number[]): Promise<void> {
  await waitForDismissals(PENDING_MS);
  for (const { id, shows } of queuedChanges.get())
    if (shows.kind === "report" && shows.items.some((item) => ids.includes(item.id)))
      await cancelQueued(client, id);
  tellReturned(ids);
}

async function returnToQueue(client: QueryClient, reports: readonly Report[]): Promise<void> {
  const subjects = reports.map(({ id }) => `report:${id}`);
  await waitForDismissals(PENDING_MS);
  try {
    for (const { id, project_id } of reports)
      putReports(client, [await api.post<Report>(`${reportsPath(project_id)}/${id}/restore`)]);
    const what = reports.length === 1 ? `Report #${reports[0]?.id} is` : `${reports.length} reports are`;
    toast({ title: `${what} back in the queue`, tone: "success", subjects });
  } catch (error) {
    showFailure("The dismissal could not be undone", error, subjects);
  }
  for (const { project_id } of reports) void client.invalidateQueries({ queryKey: ["report", project_id] });
}

const PENDING_MS = 10_000;

type Item = { client: QueryClient; report: Report; dismissal: Dismissal };

/** All dismissals of the page, because they share one rate limit. */
const queue = pacedQueue<Item>({
  send: async ({ client, report, dismissal }) => {
    const answer = await sendOrQueue<Report>(client, dismissalChange(report, dismissal));
    if (!(answer instanceof Queued)) putReports(client, [answer]);
    release([report.id]);
  },
  onFailure: ({ client, report }, error) => {
    const why =
      error instanceof ApiError ? (error.messageFor("category") ?? originalErrorOf(error)) : undefined;
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
  const why = error.messageFor("duplicate_of");
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

onLeaving(() => sendLast(queue.stop()));

function dismissalChange(report: Report, dismissal: Dismissal): NewChange {
  const [path, body] = requestOf(report, dismissal);
  const pending = new Map([[report.id, { ...dismissal, at: new Date().toISOString() }]]);
  return {
    request: { method: "POST", path, body },
    shows: shownReport(report, withDismissal({ ...report, dismissed_at: null }, pending)),
    titleFor: () => `Report #${report.id} dismissed`,
  };
}

const requestOf = ({ id, project_id }: Report, { category, note, duplicateOf }: Dismissal) =>
  [
    `${reportsPath(project_id)}/${id}/dismiss`,
    {
      category,
      ...(note === undefined ? {} : { note }),
      ...(duplicateOf === undefined ? {} : { duplicate_of: duplicateOf }),
    },
  ] as const;
