import { z } from "zod";
import { count, moment } from "./answers.ts";
import { filledText, id, optional } from "./text.ts";
import { AT } from "./example-values.ts";

/** The contract of comments on issues and on epics (service.md 2.3, 4.2). */

/** Markdown, with @mentions of people. */
const content = filledText(10_000);

/** `parent_id` names the root comment that is answered. */
export const commentBody = z.object({ content, parent_id: optional(id) });

export const commentChanges = z.object({ content });

/** Root comments on a page; the pinned thread comes on top of them. */
export const MOST_ROOTS = 100;

export const commentAnswer = z.strictObject({
  id,
  content: z.string(),
  /** Of a reply: its root comment. */
  parent_id: id.nullable(),
  is_pinned: z.boolean(),
  user_id: id,
  commentable_type: z.enum(["issues", "epics"]),
  commentable_id: id,
  created_at: moment,
  liker_ids: z.array(id),
});

export type Comment = z.infer<typeof commentAnswer>;

/**
 * Flat: the pinned thread first, on every page; then roots oldest first, each followed by its replies oldest first.
 * `count` is that of all comments.
 */
export const commentListAnswer = z.strictObject({
  data: z.array(commentAnswer),
  meta: z.strictObject({ next_cursor: z.string().nullable(), count }),
});

export type CommentList = z.infer<typeof commentListAnswer>;

const comment: Comment = {
  id: 208,
  content: "This also happens with two coupons. @ada, can you take a look?",
  parent_id: null,
  is_pinned: false,
  user_id: 4,
  commentable_type: "issues",
  commentable_id: 312,
  created_at: AT,
  liker_ids: [3],
};

/** Examples for the API reference. */
export const commentExamples = {
  Comment: { schema: commentAnswer, example: comment },
  CommentBody: {
    schema: commentBody,
    example: { content: "It also happens with two coupons.", parent_id: 208 },
  },
  CommentChanges: { schema: commentChanges, example: { content: "It happens with any two coupons." } },
};
