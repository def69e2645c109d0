import type { QueryClient } from "@tanstack/react-query";
import { OfflineError } from "../../api/client.ts";
import { announce } from "../../kit/notices/live-region.ts";
import { toast } from "../../kit/notices/toast.ts";
import { profileQuery } from "../account/session.ts";
import { FIELD_NAMES } from "./field-names.ts";
import { nameTarget } from "./name-target.ts";
import { isWaiting, type NewChange, Queued, queuedChanges, sendingChange } from "./queued-changes.ts";
import { returnText } from "./return-text.ts";
import { sendQueued } from "./send-queued.ts";
import { hideChange, keepShowing, showQueued, withoutEarlier } from "./show-queued.ts";
import {
  addChange,
  onOtherTab,
  readChanges,
  removeChange,
  replaceChanges,
  takeBack,
  untilRead,
} from "./stored-changes.ts";

/** Reads the changes that wait since earlier, shows them, and sends them. Returns a function that stops showing them. */
export function startQueue(client: QueryClient, userId: number): () => void {
  const read = async () => {
    try {
      await readChanges(client, userId);
    } catch {
      // Without a database there are no changes.
      return;
    }
    showQueued(client);
    void sendQueued(client);
  };
  const stopShowing = keepShowing(client);
  const stopListening = onOtherTab(() => void read());
  void read();
  return () => {
    stopShowing();
    stopListening();
  };
}

/** Keeps a change until the connection is back. Throws OfflineError if the browser cannot keep it. */
export async function queueChange(client: QueryClient, change: NewChange, key: string): Promise<Queued> {
  const { request, shows, titleFor } = change;
  const user_id = client.getQueryData(profileQuery.queryKey)?.id;
  if (user_id === undefined) throw new OfflineError();
  const { name, page } = nameTarget(client, shows);
  const title = titleFor?.(name) ?? fieldsTitle(name, shows);
  const created_at = new Date().toISOString();
  const id = await addChange({ request, shows, title, page, key, user_id, created_at }).catch(() => {
    throw new OfflineError();
  });
  showQueued(client, shows.kind);
  announce(`${title}: waiting for the connection`);
  void sendQueued(client);
  return new Queued(id);
}

/** "WEB-12: lane" */
function fieldsTitle(name: string, shows: NewChange["shows"]): string {
  const fields = shows.kind === "comment" ? [] : Object.keys(shows.items[0]?.after ?? {});
  const names = fields.flatMap((field) => FIELD_NAMES[field] ?? []);
  return `${name}: ${names.length === 0 ? "change" : names.join(", ")}`;
}

/** Takes a change back that has not been sent. The text of a comment returns to its field. */
export async function cancelChange(client: QueryClient, id: number): Promise<void> {
  for (let busy = busyWith(id); busy !== undefined; busy = busyWith(id)) await busy;
  const change = queuedChanges.get().find((one) => one.id === id);
  if (change === undefined) {
    toast({ title: "Nothing undone", description: "The change has already been sent." });
    return;
  }
  if (!isWaiting(change)) return removeChange(change);
  await takeBack(change, withoutEarlier(change));
  hideChange(client, change);
  returnText(change);
  announce(`${change.title}: canceled`);
}

/** While the change is being sent, it is not known whether the server gets it. A read of the changes would bring it back. */
const busyWith = (id: number): Promise<unknown> | undefined =>
  sendingChange.get() === id ? untilTried(id) : untilRead();

const untilTried = (id: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = sendingChange.subscribe(() => {
      if (sendingChange.get() === id) return;
      stop();
      resolve();
    });
  });

/** Sends a change that was a conflict, whatever others have changed. */
export async function ignoreConflict(client: QueryClient, id: number): Promise<void> {
  const change = queuedChanges.get().find((one) => one.id === id);
  if (change === undefined) return;
  const { refusal: _refusal, isConflict: _isConflict, shows, ...rest } = change;
  await replaceChanges([{ ...rest, shows: shows.kind === "comment" ? shows : { ...shows, compared: [] } }]);
  showQueued(client);
  void sendQueued(client);
}
