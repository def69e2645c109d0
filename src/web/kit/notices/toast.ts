import { announce } from "./live-region.ts";
import { type Notice, noticeList } from "./notice-list.ts";

export const notices = noticeList();

/** Shows a short message: `toast({ title: "Link copied", tone: "success" })`. */
export function toast(notice: Notice): void {
  notices.add(notice);
  // The message itself is announced by its region.
  if (notice.undo) announce("Press F6 to undo.");
}

/**
 * Begins a change that ⌘Z can undo. Until all of its parts are done or have failed, ⌘Z waits for it instead of undoing
 * an earlier change.
 */
export const beginChange = notices.begin;

/** Undoes the last change that can be undone. */
export const undoLast = notices.undoLast;

/** Runs all delayed actions now. */
export function flushDelayed(): void {
  notices.flush(false);
}
