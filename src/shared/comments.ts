import { z } from "zod";
import { count, moment } from "./answers.ts";
import { attachmentAnswer } from "./attachments.ts";
import { boolean, filledText, id, mustBe, optional } from "./text.ts";
import { AT } from "./example-values.ts";

/** Markdown with @mentions. */
const content = filledText(10_000);

const MAX_ATTACHMENTS = 50;

/**
 * `parent_id` is the root comment to reply to. `attachment_ids` are files that the author has added to the issue, epic,
 * error group or report while writing; they become attachments of the comment. `is_public` shows a comment on a report to
 * the report's author, too. This requires the permission `reports:update`, and a public parent, if there is one.
 */
export const commentBody = z.object({
  content,
  parent_id: optional(id),
  is_public: optional(boolean),
  attachment_ids: optional(
    z
      .array(id, mustBe("an array of ids"))
      .max(MAX_ATTACHMENTS, `must have at most ${MAX_ATTACHMENTS} ids`)
      .refine((ids) => new Set(ids).size === ids.length, "must have each id at most once"),
  ),
});

export const commentChanges = z.object({
  content,
  is_public: z.undefined("cannot be changed").optional(),
});

/** Maximum number of root comments per page. The pinned thread comes in addition. */
export const MAX_ROOTS = 100;

export const commentAnswer = z.strictObject({
  id,
  content: z.string(),
  /** The root comment, if this is a reply. */
  parent_id: id.nullable(),
  is_pinned: z.boolean(),
  /** Null for a message of the report's author, who has no account. */
  user_id: id.nullable(),
  /** The name of an author without an account; null if it is unknown. */
  author_name: z.string().nullable(),
  /** Whether the author of the report sees it. False for all that is not on a report. */
  is_public: z.boolean(),
  commentable_type: z.enum(["issues", "epics", "error_groups", "reports"]),
  commentable_id: id,
  created_at: moment,
  liker_ids: z.array(id),
  /** Oldest first. */
  attachments: z.array(attachmentAnswer),
});

export type Comment = z.infer<typeof commentAnswer>;

/**
 * A flat list: the pinned thread first, on every page; then root comments oldest first, each followed by its replies
 * oldest first. `count` covers all comments, not only this page.
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
  author_name: null,
  is_public: false,
  commentable_type: "issues",
  commentable_id: 312,
  created_at: AT,
  liker_ids: [3],
  attachments: [],
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
