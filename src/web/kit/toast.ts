import { announce } from "./live-region.ts";
import { type Notice, noticeList } from "./notice-list.ts";

export const notices = noticeList();

/** Shows a short message: `toast({ title: "Link copied", tone: "success" })`. */
export function toast(notice: Notice): void {
  notices.add(notice);
  // The message itself is announced by its region.
  if (notice.undo) announce("Press F6 to undo.");
}

/** Lets ⌘Z undo a change that is shown without a message. */
export const rememberUndo = notices.remember;

/** Undoes the last change that can be undone. */
export const undoLast = notices.undoLast;

/** Runs all delayed actions now. */
export function flushDelayed(): void {
  notices.flush(false);
}
