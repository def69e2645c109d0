import { z } from "zod";
import { moment } from "./answers.ts";
import { IGNORED, OPEN, RESOLVED } from "./error-groups.ts";
import { AT } from "./example-values.ts";
import { filterOf, idFilter } from "./filters.ts";
import { LANE_KINDS } from "./lanes.ts";
import { exceedsCodePoints, id } from "./text.ts";

const SEARCH_KINDS = ["issue", "epic", "report", "error_group", "project", "comment"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const SEARCH_STATES = ["open", "closed"] as const;

const MAX_QUERY_LENGTH = 255;
const MAX_HITS = 50;
const DEFAULT_HITS = 20;

const isKind = (value: string): value is SearchKind => SEARCH_KINDS.some((kind) => kind === value);

export const searchQuery = z.object({
  query: z
    .string({ error: ({ input }) => (input === undefined ? "is required" : "must be given only once") })
    .overwrite((value) => value.replaceAll("\0", "\uFFFD").toWellFormed().trim())
    .refine((value) => value !== "", "must not be blank")
    .refine(
      (value) => !exceedsCodePoints(value, MAX_QUERY_LENGTH),
      `must be at most ${MAX_QUERY_LENGTH} characters`,
    ),
  /** May be repeated or comma-separated. Defaults to all kinds. */
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
  /** `open`: issues and epics that are not done, waiting reports, open error groups, and comments on them. */
  state: filterOf("must be open or closed", (value) => SEARCH_STATES.find((state) => state === value)),
  /** Who wrote an issue, epic, report or comment. Error groups and projects have no author. */
  author_id: idFilter,
  limit: filterOf(`must be a whole number from 1 to ${MAX_HITS}`, (value) => {
    const limit = /^[0-9]{1,2}$/.test(value) ? Number(value) : 0;
    return limit >= 1 && limit <= MAX_HITS ? limit : undefined;
  }).transform((value) => value ?? DEFAULT_HITS),
});

export type SearchQuery = z.output<typeof searchQuery>;

/** The same fields for every kind; those that do not apply are null. */
const searchHitAnswer = z.strictObject({
  kind: z.enum(SEARCH_KINDS),
  id,
  /** The key of an issue or project; for a comment on an issue, the issue's key. */
  key: z.string().nullable(),
  /** For a comment, the title of what it is on; for an error group, its class; for a project, its name. */
  title: z.string(),
  /** Plain text around the match, at most 200 characters. Empty if the object has no text. */
  excerpt: z.string(),
  project_id: id,
  /** For a comment, what it is on. */
  issue_id: id.nullable(),
  epic_id: id.nullable(),
  error_group_id: id.nullable(),
  report_id: id.nullable(),
  /** For an issue or a comment on one. */
  lane_kind: z.enum(LANE_KINDS).nullable(),
  /** For an epic or a comment on one. */
  state: z.enum(["open", "done"]).nullable(),
  /** For a report or a comment on one. */
  view: z.enum(["active", "promoted", "dismissed"]).nullable(),
  /** For an error group or a comment on one. */
  status: z.literal([OPEN, RESOLVED, IGNORED]).nullable(),
  /** When it was created; for an error group, when it was last seen. */
  at: moment,
});

export type SearchHit = z.infer<typeof searchHitAnswer>;

/** Best matches first. There is never a second page: a longer query narrows the result. */
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
      error_group_id: null,
      report_id: null,
      lane_kind: "todo",
      state: null,
      view: null,
      status: null,
      at: AT,
    },
  },
};
