import type { QueryClient } from "@tanstack/react-query";
import type { Notification } from "../../shared/notifications.ts";
import { api, ApiError, messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.ts";
import { onReturn } from "../kit/on-return.ts";
import { undoable } from "../kit/undo-bar.tsx";
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
 * Marks are gathered and sent together: whoever goes through an inbox key by key would otherwise use up the limit of
 * requests.
 */
const QUIET_MS = 1_500;
const LONGEST_MS = 6_000;

/** How often marks wait for the limit of requests to pass. */
const MOST_WAITS = 3;

let timer: ReturnType<typeof setTimeout> | undefined;
let firstAt: number | undefined;
let sent: Promise<void> = Promise.resolve();

/** Shown at once, sent soon. */
export function mark(client: QueryClient, entries: readonly Notification[], as: "read" | "unread"): void {
  if (entries.length === 0) return;
  hold(entries, as, "ready");
  sendSoon(client);
}

/** Out of sight at once, deleted in 6 seconds or when the page is left; until then it can be undone. */
export function remove(
  client: QueryClient,
  entries: readonly Notification[],
  message: string,
  onUndo: () => void,
): void {
  const ids = entries.map(({ id }) => id);
  // What was marked before stands if the deletion is undone.
  void sendNow(client);
  hold(entries, "gone", "held");
  undoable({
    message,
    onUndo: () => {
      release(ids);
      onUndo();
    },
    run: ({ leaving }) => {
      makeReady(ids);
      if (leaving) void sendNow(client, true);
      else sendSoon(client);
    },
  });
}

function sendSoon(client: QueryClient) {
  clearTimeout(timer);
  firstAt ??= Date.now();
  timer = setTimeout(
    () => void sendNow(client),
    Math.min(QUIET_MS, Math.max(0, firstAt + LONGEST_MS - Date.now())),
  );
}

/** One batch after the other, so that the last mark of an entry is the one that stays; when the page is left, at once. */
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

/** Nobody is there to read the answers; should the browser bring the page back, the server says what became of them. */
function sendLast(client: QueryClient, batches: readonly Batch[]) {
  if (batches.length === 0) return;
  for (const batch of batches) void post(batch, api.postLast);
  onReturn(() => {
    for (const batch of batches) giveUp(batch);
    void client.invalidateQueries({ queryKey: ["notification"] });
  });
}

const PATHS: Record<Mark, string> = {
  read: "/api/notifications/bulk-read",
  unread: "/api/notifications/bulk-unread",
  gone: "/api/notifications/bulk-delete",
};

const FAILED: Record<Mark, string> = {
  read: "Not marked as read.",
  unread: "Not marked as unread.",
  gone: "Not deleted.",
};

const post = ({ mark, ids }: Batch, by = api.post) =>
  by(PATHS[mark], { notification_ids: ids }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );

async function send(client: QueryClient, batch: Batch, waits = 0): Promise<void> {
  const { mark: as, ids } = batch;
  const failure = await post(batch);
  if (failure === undefined) {
    await keepMark(client, ids, as);
    settle(batch);
    // Live updates say the rest; without them this does.
    void client.invalidateQueries({ queryKey: ["notification"], refetchType: "none" });
    return;
  }
  const { error } = failure;
  if (error instanceof ApiError && error.status === 429 && waits < MOST_WAITS) {
    await new Promise((resolve) => void setTimeout(resolve, (error.retryAfter ?? 10) * 1_000));
    return send(client, batch, waits + 1);
  }
  const gone = goneOf(error, ids);
  if (gone.length > 0) {
    // Deleted in another window: the others are still to be marked.
    await keepMark(client, gone, "gone");
    settle({ ...batch, mark: "gone", ids: gone });
    const left = ids.filter((id) => !gone.includes(id));
    if (left.length > 0) return send(client, { ...batch, ids: left }, waits);
    return;
  }
  giveUp(batch);
  toast({ title: FAILED[as], description: messageOf(error), tone: "danger" });
  void client.invalidateQueries({ queryKey: ["notification"] });
}

/** Those of the ids that the server says are not there. */
function goneOf(error: unknown, ids: readonly number[]): number[] {
  if (!(error instanceof ApiError) || error.status !== 422) return [];
  return ids.filter((_id, index) => error.errors[`notification_ids.${index}`] !== undefined);
}

let listening = false;

/** What waits when the page is left is sent with it. */
export function sendOnLeaving(client: QueryClient): void {
  if (listening) return;
  listening = true;
  addEventListener("pagehide", () => void sendNow(client, true));
}
