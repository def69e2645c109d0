import { z } from "zod";
import { count, momentWithOffset } from "./answers.ts";
import { errorGroupIds } from "./error-group-work.ts";
import { LAST } from "./example-values.ts";
import { MAX_MERGED } from "./merge-limits.ts";
import { id, mustBe } from "./text.ts";

/** How events become error groups, merging groups, and splitting them again. */

export const mergeBody = z.object({
  error_group_ids: errorGroupIds.refine(
    (ids) => ids.length <= MAX_MERGED,
    `must have at most ${MAX_MERGED} ids`,
  ),
});

const fingerprint = z
  .string(mustBe("a string"))
  .regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hexadecimal characters");

export const unmergeBody = z.object({
  fingerprints: z
    .array(fingerprint, mustBe("an array"))
    .min(1, "must have at least one fingerprint")
    .max(MAX_MERGED, `must have at most ${MAX_MERGED} fingerprints`)
    .refine((all) => new Set(all).size === all.length, "must have each fingerprint at most once"),
});

/** `mapped_frames`: like `class_and_trace`, by the original code of minified frames. `client`: the client sent its own fingerprint. */
const GROUPING_RULES = ["class_and_trace", "class_and_first_line", "mapped_frames", "client"] as const;

/** The most near groups that are returned, and the number of newest groups of the same class that are compared. */
export const MAX_NEAR = 20;
export const MAX_NEAR_CANDIDATES = 500;

export const groupingAnswer = z.strictObject({
  rule: z.enum(GROUPING_RULES),
  /**
   * The lines of the latest event's stack trace. `normalized` is the part of the line that counts; empty if it does not count.
   * There are no lines if the client sent the fingerprint.
   */
  lines: z.array(z.strictObject({ original: z.string(), normalized: z.string() })),
  /** The group's own fingerprint first, then those that were merged into it. */
  fingerprints: z.array(
    z.strictObject({ fingerprint: z.string(), own: z.boolean(), merged_at: momentWithOffset.nullable() }),
  ),
  /**
   * Groups of the same class and environment whose trace differs in one line, newest first. `differs_in` is the other
   * group's normalized line, or null if it has one line less.
   */
  near: z.array(z.strictObject({ error_group_id: id, differs_in: z.string().nullable() })),
  /** The error of each merged fingerprint as of the merge. */
  merged: z.array(
    z.strictObject({ fingerprint: z.string(), exception_class: z.string(), message: z.string() }),
  ),
  /** The errors of the near groups. */
  near_groups: z.array(
    z.strictObject({ id, exception_class: z.string(), latest_message: z.string(), occurrence_count: count }),
  ),
});

export type Grouping = z.infer<typeof groupingAnswer>;

const [own, other] = ["5f".repeat(32), "a3".repeat(32)] as [string, string];

/** Examples for the API reference. */
export const errorGroupingExamples = {
  MergeBody: { schema: mergeBody, example: { error_group_ids: [78, 81] } },
  UnmergeBody: { schema: unmergeBody, example: { fingerprints: [other] } },
  Grouping: {
    schema: groupingAnswer,
    example: {
      rule: "class_and_trace",
      lines: [
        {
          original: "#0 /var/www/shop/src/Checkout.php(12): Checkout->pay()",
          normalized: "#0 shop/src/Checkout.php(12): Checkout->pay()",
        },
        { original: "#1 {main}", normalized: "#1 {main}" },
      ],
      fingerprints: [
        { fingerprint: own, own: true, merged_at: null },
        { fingerprint: other, own: false, merged_at: LAST },
      ],
      near: [{ error_group_id: 78, differs_in: "#0 shop/src/Checkout.php(14): Checkout->pay()" }],
      merged: [{ fingerprint: other, exception_class: "RuntimeException", message: "Payment failed" }],
      near_groups: [
        {
          id: 78,
          exception_class: "RuntimeException",
          latest_message: "Payment failed",
          occurrence_count: 3,
        },
      ],
    },
  },
};
