import { returnedTexts, textDraft } from "../../state/drafts.ts";
import type { QueuedChange } from "./queued-changes.ts";

/** Returns the text of a comment that is not sent to the field in which it was written, above what was written since. */
export function returnText({ user_id, shows }: QueuedChange): void {
  if (shows.kind !== "comment") return;
  const { commentable_type, commentable_id, parent_id, content } = shows;
  const thread = `${commentable_type}:${commentable_id}`;
  const place = parent_id === null ? thread : `${thread}:reply:${parent_id}`;
  const draft = textDraft(user_id, place);
  const newer = draft.read();
  draft.write(newer.trim() === "" ? content : `${content}\n\n${newer}`);
  const counts = returnedTexts.get();
  returnedTexts.set(new Map(counts).set(place, (counts.get(place) ?? 0) + 1));
}
