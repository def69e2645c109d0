import { z } from "zod";
import { IGNORED, OPEN, RESOLVED } from "./error-groups.ts";
import { filterOf, idFilter } from "./filters.ts";
import { LANE_KINDS } from "./lanes.ts";
import { exceedsCodePoints, id } from "./text.ts";

/** The contract of search (platform.md). */

const SEARCH_KINDS = ["issue", "epic", "report", "error_group", "project", "comment"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const MOST_QUERY = 255;
const MOST_HITS = 50;
const DEFAULT_HITS = 20;

const isKind = (value: string): value is SearchKind => SEARCH_KINDS.some((kind) => kind === value);

export const searchQuery = z.object({
  query: z
    .string({ error: ({ input }) => (input === undefined ? "is required" : "must be given once") })
    .overwrite((value) => value.replaceAll("\0", "\uFFFD").toWellFormed().trim())
    .refine((value) => value !== "", "must not be blank")
    .refine((value) => !exceedsCodePoints(value, MOST_QUERY), `must be at most ${MOST_QUERY} characters`),
  /** Given several times, or once with commas between; all kinds without it. */
  kind: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value, context): SearchKind[] => {
      const kinds = [value ?? []].flat().flatMap((given) => given.split(","));
      const known = kinds.filter(isKind);
      if (known.length < kinds.filter((kind) => kind !== "").length)
        context.addIssue({ code: "custom", message: `must be one or more of ${SEARCH_KINDS.join(", ")}` });
      return known.length === 0 ? [...SEARCH_KINDS] : known;
    }),
  project_id: idFilter,
  limit: filterOf(`must be a whole number from 1 to ${MOST_HITS}`, (value) => {
    const limit = /^[0-9]{1,2}$/.test(value) ? Number(value) : 0;
    return limit >= 1 && limit <= MOST_HITS ? limit : undefined;
  }).transform((value) => value ?? DEFAULT_HITS),
});

export type SearchQuery = z.output<typeof searchQuery>;

/** One row for every kind; what a kind does not have is null. */
export const searchHitAnswer = z.strictObject({
  kind: z.enum(SEARCH_KINDS),
  id,
  /** An issue's key, also of a comment on it; a project's key. */
  key: z.string().nullable(),
  /** Of a comment: the title of what it is on; of an error group: its class; of a project: its name. */
  title: z.string(),
  /** Plain text around the hit, at most 200 characters; empty when there is no text. */
  excerpt: z.string(),
  project_id: id,
  /** Of a comment: the issue or the epic it is on. */
  issue_id: id.nullable(),
  epic_id: id.nullable(),
  /** Of an issue, and of a comment on one: the kind of its lane. */
  lane_kind: z.enum(LANE_KINDS).nullable(),
  /** Of an epic, and of a comment on one. */
  state: z.enum(["open", "done"]).nullable(),
  /** Of a report. */
  view: z.enum(["active", "promoted", "dismissed"]).nullable(),
  /** Of an error group. */
  status: z.literal([OPEN, RESOLVED, IGNORED]).nullable(),
});

export type SearchHit = z.infer<typeof searchHitAnswer>;

/** Best first, and never a second page: whoever wants less searches for more. */
export const searchAnswer = z.strictObject({
  data: z.array(searchHitAnswer),
  meta: z.strictObject({ next_cursor: z.null() }),
});

export type SearchHits = z.infer<typeof searchAnswer>;

/** Examples for the API reference. */
export const searchExamples = {
  SearchHit: {
    schema: searchHitAnswer,
    example: {
      kind: "issue",
      id: 312,
      key: "WEB-12",
      title: "Keep the coupon when a customer signs in",
      excerpt: "The guest's cart is replaced by the account's cart.",
      project_id: 5,
      issue_id: null,
      epic_id: null,
      lane_kind: "todo",
      state: null,
      view: null,
      status: null,
    },
  },
};
