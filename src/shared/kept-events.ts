import { z } from "zod";
import { count, momentWithOffset } from "./answers.ts";
import { contextAnswer, nameAndVersion, previousExceptions } from "./error-groups.ts";
import { LAST } from "./example-values.ts";
import { LEVELS } from "./levels.ts";
import { originalAnswer, unmappedAnswer } from "./source-maps.ts";
import { id } from "./text.ts";

/** Events of an error group that are kept in full. */

/** The most values per tag in the response: those with the most events. */
export const MAX_TAG_VALUES = 20;

/** The most tags in the response: those that most errors have. */
export const MAX_TAG_KEYS = 50;

const text = z.string().nullable();
const tags = z.record(z.string(), z.string());

const listedFields = {
  id,
  /** The id that the client gave the event: 32 hexadecimal characters. */
  event_id: text,
  error_group_id: id,
  received_at: momentWithOffset,
  level: z.enum(LEVELS),
  release: text,
  host: text,
  /** Identifies a user without revealing who they are. */
  user: z
    .string()
    .regex(/^u_[0-9a-f]{8}$/)
    .nullable(),
  message: z.string(),
};

export const listedEventAnswer = z.strictObject({ ...listedFields, tags });

export type ListedEvent = z.infer<typeof listedEventAnswer>;

const breadcrumb = z.strictObject({
  timestamp: z.union([z.string(), z.number()]).nullable(),
  category: text,
  level: text,
  message: text,
  type: text,
  data: z.record(z.string(), z.unknown()).nullable(),
});

const line = z.string().optional();
const frame = z.strictObject({
  function: line,
  filename: line,
  module: line,
  abs_path: line,
  line: z.number().optional(),
  column: z.number().optional(),
  in_app: z.boolean().optional(),
  context_line: line,
  pre_context: z.array(z.string()).optional(),
  post_context: z.array(z.string()).optional(),
  vars: z.record(z.string(), z.unknown()).optional(),
  /** The original code of a minified frame. */
  original: originalAnswer.optional(),
  /** Why a frame of minified code has no original, or no text of it. */
  unmapped: unmappedAnswer.optional(),
});

const request = z.strictObject({ method: text, path: text, headers: z.record(z.string(), z.string()) });

export const keptEventAnswer = z.strictObject({
  ...listedFields,
  stack_trace: z.string(),
  /** Newest first. */
  frames: z.array(frame),
  previous_exceptions: previousExceptions,
  context: contextAnswer.nullable(),
  runtime: nameAndVersion,
  framework: nameAndVersion,
  tags,
  breadcrumbs: z.array(breadcrumb),
  request: request.nullable(),
  contexts: z.record(z.string(), z.unknown()),
  extra: z.record(z.string(), z.unknown()),
  /** The parts that were cut: a kept event takes at most 128 KiB, and its texts, lists and depth are limited. */
  truncated: z.array(z.string()),
  /** How many values each privacy rule removed. */
  removed: z.record(z.string(), count),
  /** Among the group's kept events, from 1, the oldest. */
  position: z.int().positive(),
  /** The kept event before this one, and the one after it. */
  previous_id: id.nullable(),
  next_id: id.nullable(),
});

export type KeptEvent = z.infer<typeof keptEventAnswer>;

export type KeptFrame = KeptEvent["frames"][number];

const tagValue = z.strictObject({
  value: z.string(),
  count: z.int().positive(),
  share: z.number().min(0).max(1),
});

/** `events` is the number of kept events with the key; `share` is the fraction of them that have the value. */
export const groupTagsAnswer = z.array(
  z.strictObject({
    key: z.string(),
    events: z.int().positive(),
    values: z.array(tagValue).max(MAX_TAG_VALUES),
  }),
);

export type GroupTags = z.infer<typeof groupTagsAnswer>;

/** `error_groups` is the number of the most recently seen groups whose newest event has the value. */
export const errorTagsAnswer = z
  .array(
    z.strictObject({
      key: z.string(),
      values: z
        .array(z.strictObject({ value: z.string(), error_groups: z.int().positive() }))
        .max(MAX_TAG_VALUES),
    }),
  )
  .max(MAX_TAG_KEYS);

export type ErrorTags = z.infer<typeof errorTagsAnswer>;

/** `id` is null if the event itself was not kept. */
export const foundEventAnswer = z.strictObject({ error_group_id: id, id: id.nullable() });

export type FoundEvent = z.infer<typeof foundEventAnswer>;

const listed: ListedEvent = {
  id: 4211,
  event_id: "9f86d081884c4d659a2feaa0c55ad015",
  error_group_id: 77,
  received_at: LAST,
  level: "error",
  release: "4.2.1",
  host: "web-1",
  user: "u_5e884898",
  message: "Coupon SPRING26 has expired",
  tags: { locale: "en_GB" },
};

const kept: KeptEvent = {
  ...listed,
  stack_trace: "#0 /var/www/shop/app/Cart/Coupons.php(58): App\\Cart\\Coupons->check()",
  frames: [{ function: "check", filename: "app/Cart/Coupons.php", line: 58, in_app: true }],
  previous_exceptions: [],
  context: null,
  runtime: { name: "php", version: "8.4.2" },
  framework: { name: "laravel", version: "12.1" },
  breadcrumbs: [
    {
      timestamp: 1_763_799_000,
      category: "query",
      level: "info",
      message: "select * from coupons",
      type: null,
      data: null,
    },
  ],
  request: { method: "POST", path: "/cart/18/coupon", headers: { "User-Agent": "Mozilla/5.0" } },
  contexts: { os: { name: "Android", version: "16" } },
  extra: { attempts: 2 },
  truncated: [],
  removed: { token: 1 },
  position: 11,
  previous_id: 4180,
  next_id: null,
};

/** Examples for the API reference. */
export const keptEventExamples = {
  KeptEvent: { schema: keptEventAnswer, example: kept },
  ListedEvent: { schema: listedEventAnswer, example: listed },
  GroupTags: {
    schema: groupTagsAnswer,
    example: [{ key: "locale", events: 38, values: [{ value: "en_GB", count: 19, share: 0.5 }] }],
  },
  ErrorTags: {
    schema: errorTagsAnswer,
    example: [{ key: "locale", values: [{ value: "en_GB", error_groups: 12 }] }],
  },
};
