import type { QueryClient } from "@tanstack/react-query";
import type { BulkStatus } from "../../../shared/error-groups.ts";
import type { Comment } from "../../../shared/comments.ts";
import type { Profile } from "../../../shared/people.ts";
import { api, ApiError, OfflineError } from "../../api/client.ts";
import { connectionLost } from "../../api/connection-lost.ts";
import { reasonOf } from "../../forms/reason.ts";
import { toast } from "../../kit/notices/toast.ts";
import { profileQuery } from "../account/session.ts";
import { addComment, commentsKey } from "../cache/comment-pages.ts";
import { conflictOf } from "./conflict-of.ts";
import { isListOpen } from "./list-open.ts";
import {
  isWaiting,
  type QueuedChange,
  queuedChanges,
  type QueuedComment,
  sendChange,
  sendingChange,
} from "./queued-changes.ts";
import { returnText } from "./return-text.ts";
import { hideChange, refetchChanged } from "./show-queued.ts";
import { readChanges, removeChange, replaceChanges } from "./stored-changes.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

let isRunning = false;

/** Sends the waiting changes in their order, as soon as the server can be reached. One tab sends for all. */
export async function sendQueued(client: QueryClient): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  try {
    while (nextChange() !== undefined) await inOneTab(() => sendAll(client));
  } finally {
    isRunning = false;
  }
}

const nextChange = () => queuedChanges.get().find(isWaiting);

/** Pages without HTTPS have no locks. There, several tabs may send a change, which the server carries out once. */
const inOneTab = (work: () => Promise<void>): Promise<unknown> =>
  "locks" in navigator ? navigator.locks.request("signalbox queued changes", work) : work();

async function sendAll(client: QueryClient): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  let isChecked = false;
  while (nextChange() !== undefined) {
    await connected();
    // Until then, the person may have canceled the change.
    const change = nextChange();
    if (change === undefined) return;
    try {
      if (isChecked) await send(client, change);
      else {
        await checkPerson(client, change);
        // Another tab may have sent changes until this one got the lock.
        await readChanges(client, change.user_id);
        isChecked = true;
      }
      pauseMs = FIRST_PAUSE_MS;
    } catch {
      isChecked = false;
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }
}

/** Another tab may have signed in as someone else, for whom this page loads anew. */
async function checkPerson(client: QueryClient, { user_id }: QueuedChange): Promise<void> {
  const { id } = await api.get<Profile>("/api/profile");
  if (id === user_id) return;
  await client.refetchQueries({ queryKey: profileQuery.queryKey });
  throw new Error("Someone else has signed in.");
}

/** Throws if the change should be sent again later. */
async function send(client: QueryClient, change: QueuedChange): Promise<void> {
  sendingChange.set(change.id);
  try {
    const conflict = await conflictOf(change);
    if (conflict !== undefined)
      return await reject(client, { ...change, refusal: conflict, isConflict: true });
    const answer = await sendChange(change.request, change.key);
    await accept(client, change, answer);
  } catch (error) {
    if (isTemporary(error)) throw error;
    await reject(client, { ...change, refusal: reasonOf(error) });
  } finally {
    sendingChange.set(undefined);
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof OfflineError ||
  (error instanceof ApiError && ([401, 408, 409, 429].includes(error.status) || error.status >= 500));

async function accept(client: QueryClient, change: QueuedChange, answer: unknown): Promise<void> {
  const { shows } = change;
  const refused = (answer as Partial<BulkStatus> | undefined)?.refused_ids ?? [];
  if (refused.length > 0)
    return reject(client, {
      ...change,
      refusal: "Your role does not allow you to change all of these errors.",
    });
  await removeChange(change, () => {
    if (shows.kind === "comment") addComment(client, keyOf(shows), answer as Comment);
  });
  if (shows.kind !== "comment") return refetchChanged(client, shows);
  // The number of its comments, and who watches it.
  const kind = shows.commentable_type.slice(0, -1);
  void client.invalidateQueries({ queryKey: [kind, shows.project_id, "one"] });
}

const keyOf = ({ project_id, commentable_type: type, commentable_id: id }: QueuedComment) =>
  commentsKey(project_id, { type, id });

async function reject(client: QueryClient, rejected: QueuedChange): Promise<void> {
  await replaceChanges([rejected]);
  hideChange(client, rejected);
  returnText(rejected);
  toast({
    title: `Not sent: ${rejected.title}`,
    description: rejected.refusal,
    tone: "danger",
    subjects: [`queued change ${rejected.id}`],
    action: { label: "Show", onSelect: () => isListOpen.set(true) },
  });
}

/** Resolves once the server can be reached, as far as the page knows. */
async function connected(): Promise<void> {
  if (!connectionLost.get()) return;
  await new Promise<void>((resolve) => {
    const stop = connectionLost.subscribe(() => {
      if (connectionLost.get()) return;
      stop();
      resolve();
    });
  });
}

/** Waits for a time, or until the connection is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = connectionLost.subscribe(() => connectionLost.get() || end());
    const end = () => {
      stop();
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
  });
}
