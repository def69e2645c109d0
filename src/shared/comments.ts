import { z } from "zod";
import { filledText, id, optional } from "./text.ts";

/** The contract of comments on issues and on epics (service.md 2.3, 4.2). */

/** Markdown, with @mentions of people. */
const content = filledText(10_000);

/** `parent_id` names the root comment that is answered. */
export const commentBody = z.object({ content, parent_id: optional(id) });

export const commentChanges = z.object({ content });

/** Root comments on a page; the pinned thread comes on top of them. */
export const MOST_ROOTS = 100;

export type Comment = {
  id: number;
  content: string;
  /** Of a reply: its root comment. */
  parent_id: number | null;
  is_pinned: boolean;
  user_id: number;
  commentable_type: "issues" | "epics";
  commentable_id: number;
  created_at: string;
  liker_ids: number[];
};

/**
 * Flat: the pinned thread first, on every page; then roots oldest first, each followed by its replies oldest first.
 * `count` is that of all comments.
 */
export type CommentList = { data: Comment[]; meta: { next_cursor: string | null; count: number } };
