import type { QueryClient } from "@tanstack/react-query";
import type { Notification } from "../../../shared/notifications.ts";
import { api, ApiError } from "../../api/client.ts";
import { retryWhenLimited } from "../../api/retry-when-limited.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { countOf } from "../../kit/count-text.ts";
import { toast } from "../../kit/notices/toast.ts";
import { onLeaving, onReturn } from "../../kit/leaving.ts";
import {
  type Batch,
  giveUp,
  hold,
  makeReady,
  type Mark,
  release,
  settle,
  takeReady,
} from "./pending-marks.ts";
import { keepMark } from "./inbox.ts";

/**
 * Marks are debounced and sent in batches, because going through an inbox by keyboard would otherwise exceed the rate
 * limit. A mark retries at most MAX_WAIT_MS.
 */
const DEBOUNCE_MS = 1_500;
const MAX_WAIT_MS = 6_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let firstAt: number | undefined;
let sent: Promise<void> = Promise.resolve();

/** Marks entries as read or unread: shown at once, sent soon. */
export function mark(client: QueryClient, entries: readonly Notification[], as: "read" | "unread"): void {
  if (entries.length === 0) return;
  hold(entries, as, "ready");
  sendSoon(client);
}

/**
 * Marks entries and says how many. Undo marks them the other way. `rest` are further entries, on pages that are not
 * loaded.
 */
export function markUndoably(
  client: QueryClient,
  entries: readonly Notification[],
  as: "read" | "unread",
  { onUndo, rest }: { onUndo: () => void; rest?: Promise<Notification[]> | undefined },
): void {
  const changed = entries.filter(({ read_at }) => (read_at === null) === (as === "read"));
  if (changed.length === 0) return;
  mark(client, changed, as);
  void rest?.then((more) => mark(client, more, as)).catch(() => {});
  const back = (some: readonly Notification[]) =>
    mark(
      client,
      some.map((entry) => ({ ...entry, read_at: as === "read" ? entry.created_at : null })),
      as === "read" ? "unread" : "read",
    );
  toast({
    title: `${countOf(changed.length, "notification")} marked as ${as}`,
    subjects: MARKS,
    undo: () => {
      back(changed);
      void rest?.then(back).catch(() => {});
      onUndo();
    },
  });
}

type UndoNotice = { message: string; onUndo: () => void };

/**
 * Hides entries at once and snoozes them after 6 seconds or when the page unloads; until then it can be undone. With
 * null they return to the inbox.
 */
export function snooze(
  client: QueryClient,
  entries: readonly Notification[],
  until: Date | null,
  notice: UndoNotice,
): void {
  const run = (ids: number[], leaving: boolean) => {
    const body = { notification_ids: ids, until: until?.toISOString() ?? null };
    if (!leaving) sent = sent.then(() => sendSnooze(client, body));
    else {
      void api.postLast(SNOOZE, body).catch(() => {});
      onReturn(() => {
        release(ids);
        void client.invalidateQueries({ queryKey: ["notification"] });
      });
    }
  };
  const undoRun = () =>
    (sent = sent.then(() =>
      sendSnooze(client, { notification_ids: entries.map(({ id }) => id), until: null }),
    ));
  hideUndoably(client, entries, { ...notice, run, undoRun: until === null ? undefined : undoRun });
}

const SNOOZE = "/api/notifications/bulk-snooze";

async function sendSnooze(client: QueryClient, body: { notification_ids: number[]; until: string | null }) {
  const ids = body.notification_ids;
  try {
    await api.post(SNOOZE, body);
    await keepMark(client, ids, "gone");
  } catch (error) {
    showFailure(
      body.until === null
        ? "Notifications could not be returned to the inbox"
        : "Notifications could not be snoozed",
      error,
    );
  }
  release(ids);
  void client.invalidateQueries({ queryKey: ["notification"] });
}

/** Hides entries at once and deletes them after 6 seconds or when the page unloads; until then it can be undone. */
export function remove(client: QueryClient, entries: readonly Notification[], notice: UndoNotice): void {
  const run = (ids: number[], leaving: boolean) => {
    makeReady(ids);
    if (leaving) void sendNow(client, true);
    else sendSoon(client);
  };
  hideUndoably(client, entries, { ...notice, run });
}

type Hiding = UndoNotice & {
  run: (ids: number[], leaving: boolean) => void;
  undoRun?: (() => Promise<void>) | undefined;
};

/**
 * Hides entries until this is undone. `run` sends the change after 6 seconds, or when the page unloads (`leaving`), and
 * `undoRun` takes it back.
 */
function hideUndoably(
  client: QueryClient,
  entries: readonly Notification[],
  { message, onUndo, run, undoRun }: Hiding,
): void {
  const ids = entries.map(({ id }) => id);
  // Send earlier marks first: they stay if the change is undone.
  void sendNow(client);
  hold(entries, "gone", "held");
  toast({
    title: message,
    undo: () => {
      release(ids);
      onUndo();
    },
    run: ({ leaving }) => run(ids, leaving),
    undoRun,
  });
}

function sendSoon(client: QueryClient) {
  clearTimeout(timer);
  firstAt ??= Date.now();
  timer = setTimeout(
    () => void sendNow(client),
    Math.min(DEBOUNCE_MS, Math.max(0, firstAt + MAX_WAIT_MS - Date.now())),
  );
}

/** Batches are sent one after another, so that the last mark of an entry wins; when the page unloads, all at once. */
export function sendNow(client: QueryClient, leaving = false): Promise<void> {
  clearTimeout(timer);
  firstAt = undefined;
  const batches = takeReady();
  if (leaving) sendLast(client, batches);
  else if (batches.length > 0)
    sent = sent.then(async () => {
      for (const batch of batches) await send(client, batch);
    });
  return sent;
}

/** The page cannot read the responses anymore. If the browser restores the page, the entries are refetched. */
function sendLast(client: QueryClient, batches: readonly Batch[]) {
  if (batches.length === 0) return;
  for (const batch of batches) api.postLast(...requestOf(batch)).catch(() => {});
  onReturn(() => {
    for (const batch of batches) giveUp(batch);
    void client.invalidateQueries({ queryKey: ["notification"] });
  });
}

/** A failure replaces the message that marks were made. */
const MARKS = ["inbox-marks"];

const PATHS: Record<Mark, string> = {
  read: "/api/notifications/bulk-read",
  unread: "/api/notifications/bulk-unread",
  gone: "/api/notifications/bulk-delete",
};

const FAILED: Record<Mark, string> = {
  read: "Notifications could not be marked as read",
  unread: "Notifications could not be marked as unread",
  gone: "Notifications could not be deleted",
};

const requestOf = ({ mark, ids }: Batch) => [PATHS[mark], { notification_ids: ids }] as const;

async function send(client: QueryClient, batch: Batch): Promise<void> {
  const { mark: as, ids } = batch;
  try {
    await retryWhenLimited(() => api.post(...requestOf(batch)));
  } catch (error) {
    return handleFailure(client, batch, error);
  }
  await keepMark(client, ids, as);
  settle(batch);
  // Covers pages without a live connection.
  void client.invalidateQueries({ queryKey: ["notification"], refetchType: "none" });
}

async function handleFailure(client: QueryClient, batch: Batch, error: unknown): Promise<void> {
  const { mark: as, ids } = batch;
  const gone = goneOf(error, ids);
  if (gone.length > 0) {
    // Some were deleted in another tab; the others still have to be marked.
    await keepMark(client, gone, "gone");
    settle({ ...batch, mark: "gone", ids: gone });
    const rest = ids.filter((id) => !gone.includes(id));
    if (rest.length > 0) return send(client, { ...batch, ids: rest });
    return;
  }
  giveUp(batch);
  showFailure(FAILED[as], error, as === "gone" ? undefined : MARKS);
  void client.invalidateQueries({ queryKey: ["notification"] });
}

/** The ids that do not exist, according to the server. */
function goneOf(error: unknown, ids: readonly number[]): number[] {
  if (!(error instanceof ApiError) || error.status !== 422) return [];
  return ids.filter((_id, index) => error.errors[`notification_ids.${index}`] !== undefined);
}

let stopSending: (() => void) | undefined;

/** Sends waiting marks when the page is left, from now on. */
export function sendOnLeaving(client: QueryClient): void {
  stopSending ??= onLeaving(() => void sendNow(client, true));
}
