import { z } from "zod";
import { moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { id } from "./text.ts";

const REPORT_ACTIVITY_KINDS = [
  "created",
  "dismissed",
  "restored",
  "promoted",
  "unpromoted",
  "link_revoked",
] as const;

export type ReportActivityKind = (typeof REPORT_ACTIVITY_KINDS)[number];

/**
 * `from` and `to` by kind; null if there is none:
 * - `dismissed`: `to` is `{reason, note, duplicate_of}`;
 * - `promoted`, `unpromoted`: `to` or `from` is an issue's id.
 */
export const reportActivityAnswer = z.strictObject({
  id,
  /** Null if the sender has no account, if it is unknown, or if the user was deleted. */
  actor_id: id.nullable(),
  kind: z.enum(REPORT_ACTIVITY_KINDS),
  from: z.unknown(),
  to: z.unknown(),
  created_at: moment,
});

export type ReportActivity = z.infer<typeof reportActivityAnswer>;

/** Examples for the API reference. */
export const reportActivityExamples = {
  ReportActivity: {
    schema: reportActivityAnswer,
    example: { id: 512, actor_id: 4, kind: "promoted", from: null, to: 312, created_at: AT },
  },
};
