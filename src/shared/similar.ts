import { z } from "zod";
import { idFilter } from "./filters.ts";
import { LANE_KINDS } from "./lanes.ts";
import { id } from "./text.ts";

export const SIMILAR_KINDS = ["report", "issue", "error_group"] as const;
export type SimilarKind = (typeof SIMILAR_KINDS)[number];

/** A response has at most this many items. */
export const MAX_SIMILAR = 5;

/** Characters of a description that are compared. */
export const MAX_SIMILAR_TEXT = 2_000;

/** May be blank and of any length. */
const comparedText = z
  .string({ error: "must be given only once" })
  .overwrite((value) => value.replaceAll("\0", "\uFFFD").toWellFormed())
  .optional();

export const similarQuery = z
  .object({
    title: comparedText.meta({ description: "The title of the new report, issue or error." }),
    description: comparedText.meta({ description: "Its text. The first 2,000 characters are compared." }),
    /** The report to which others are compared. */
    except_report_id: idFilter,
  })
  .refine(({ title, description }) => title !== undefined || description !== undefined, {
    error: "is required",
    path: ["title"],
  });

export type SimilarQuery = z.output<typeof similarQuery>;

const similarItemAnswer = z.strictObject({
  kind: z.enum(SIMILAR_KINDS),
  id,
  /** The key of an issue. Null for reports and errors. */
  key: z.string().nullable(),
  /** For an error, its class and message. */
  title: z.string(),
  /** The view of a report, the kind of an issue's lane, or the status of an error. */
  state: z.enum(["active", "promoted", "dismissed", ...LANE_KINDS, "open", "resolved", "ignored"]),
  /** From 0 to 1. */
  score: z.number().min(0).max(1),
});

export type SimilarItem = z.infer<typeof similarItemAnswer>;

/** The most similar first. There is never a second page. */
export const similarAnswer = z.strictObject({ data: z.array(similarItemAnswer).max(MAX_SIMILAR) });

export type SimilarItems = z.infer<typeof similarAnswer>;

/** Examples for the API reference. */
export const similarExamples = {
  SimilarItem: {
    schema: similarItemAnswer,
    example: {
      kind: "issue",
      id: 312,
      key: "WEB-12",
      title: "Keep the coupon when a customer signs in",
      state: "todo",
      score: 0.71,
    },
  },
};
