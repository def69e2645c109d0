import { z } from "zod";
import { reportText } from "./example-values.ts";
import { email } from "./people.ts";
import {
  boolean,
  cutCodePoints,
  eventId,
  exceedsCodePoints,
  filledText,
  id,
  line,
  mustBe,
  optional,
  unlessBlank,
} from "./text.ts";

/** Schemas for reports from outside: from the widget, the public form, and other code that has an ingest key. */

export const REPORT_KINDS = ["bug", "idea", "question"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Limits of tags; that of characters applies to keys and values. */
export const FEEDBACK_TAGS = { most: 50, characters: 200 } as const;
export const MAX_PAGE = 2_048;

const shortLine = unlessBlank(line(255));

/** One address, as it is mailed to. */
export const reporterAddress = email
  .refine((value) => !/[,;<>"()[\]\\:]/.test(value), "must be one email address")
  .overwrite((value) => value.toLowerCase());

/** The address of a web page. User, query and fragment may contain personal data and are cut off. */
const page = line(MAX_PAGE)
  .refine(
    (value) => withoutQuery(value) !== undefined,
    "must be an address that begins with http:// or https://",
  )
  .overwrite((value) => cutCodePoints(withoutQuery(value) ?? "", MAX_PAGE));

/** Undefined if it is not the address of a web page. */
export function withoutQuery(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

const tag = z
  .string(mustBe("a text"))
  .overwrite((value) => value.toWellFormed())
  .refine((value) => !value.includes("\0"), "must not contain a NUL character")
  .refine(
    (value) => !exceedsCodePoints(value, FEEDBACK_TAGS.characters),
    `must be at most ${FEEDBACK_TAGS.characters} characters`,
  );

const tags = z
  .record(tag, tag, mustBe("an object of texts"))
  .refine(
    (value) => Object.keys(value).length <= FEEDBACK_TAGS.most,
    `must have at most ${FEEDBACK_TAGS.most} tags`,
  );

/** A blank optional field counts as not sent, because forms send every field. */
export const feedbackBody = z.object({
  description: filledText(65_535),
  /** Default: the first line of the description. */
  title: shortLine,
  author_name: shortLine,
  author_email: unlessBlank(reporterAddress),
  /** HMAC-SHA256 of the address in lower case with the project's identity secret, in hexadecimal. Confirms the address. */
  author_signature: unlessBlank(line(255)),
  page: unlessBlank(page),
  /** The app's id of the error event that the report is about. The event may arrive later. */
  error_event_id: unlessBlank(eventId),
  release: shortLine,
  environment: shortLine,
  viewport: shortLine,
  language: shortLine,
  kind: unlessBlank(z.enum(REPORT_KINDS, mustBe(`one of ${REPORT_KINDS.join(", ")}`))),
  tags: optional(tags),
});

/** In multipart, the tags are a field of JSON. */
export const feedbackFields = feedbackBody.extend({ tags: z.preprocess(parseTags, optional(tags)) });

function parseTags(value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export type FeedbackBody = z.output<typeof feedbackBody>;

/** `status_url`: the page on which the author sees what becomes of the report. */
export const feedbackAnswer = z.strictObject({ id, status_url: z.string() });

export type FeedbackAnswer = z.infer<typeof feedbackAnswer>;

/** Where a report from outside was written. */
export const originAnswer = z.strictObject({
  page: z.string().nullable(),
  /** Read from the `User-Agent` header, such as `Firefox 146.0`. */
  browser: z.string().nullable(),
  viewport: z.string().nullable(),
  language: z.string().nullable(),
  release: z.string().nullable(),
  environment: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
});

export type ReportOrigin = z.infer<typeof originAnswer>;

/** Signs addresses of visitors. Shown once. */
export const identitySecretAnswer = z.strictObject({ secret: z.string() });

/** What a visitor's browser must compute before the public form accepts its report. */
export const formAnswer = z.strictObject({
  project: z.strictObject({ name: z.string() }),
  challenge: z.strictObject({
    /** Valid for ten minutes, and not in the first two seconds. */
    token: z.string(),
    /** How many zero bits the SHA-256 of `token:nonce` must start with. */
    bits: z.int(),
  }),
});

const work = {
  challenge: unlessBlank(line(1_000)),
  nonce: unlessBlank(line(100)),
  /** Hidden from people, so only programs fill it. */
  website: z.unknown().optional(),
};

export const formBody = feedbackBody.extend(work);
export const formFields = feedbackFields.extend(work);

/** The texts of the email that a report is done, unless the project has its own. */
export const DONE_SUBJECT = "Done: {title}";
export const DONE_MESSAGE = `Good news from {project}: “{title}” is done in {release}.

Thank you for telling us.`;

const doneSubject = line(255);
const doneMessage = filledText(2_000);

/** Only the given settings change. */
export const feedbackSettingsBody = z.object(
  {
    /** Switching the form on creates a new address. */
    public_form: optional(boolean),
    /** `{title}`, `{release}` and `{project}` are filled in. Null restores the default texts. */
    done_subject: doneSubject.nullish(),
    done_message: doneMessage.nullish(),
  },
  mustBe("an object"),
);

export const feedbackSettingsAnswer = z.strictObject({
  public_form: z.boolean(),
  /** Null while the form is off. */
  form_url: z.string().nullable(),
  done_message: z.string(),
  done_subject: z.string(),
});

const feedbackExample = {
  ...reportText,
  author_email: "kim@example.com",
  page: "https://shop.example.com/cart",
  error_event_id: "dc75a869e5c84f488963e5796ce9176d",
  release: "4.12.1",
  kind: "bug",
  tags: { plan: "pro" },
};

/** Examples for the API reference. */
export const feedbackExamples = {
  FeedbackBody: { schema: feedbackBody, example: feedbackExample },
  FeedbackAnswer: {
    schema: feedbackAnswer,
    example: { id: 41, status_url: "https://signalbox.example.com/r/Zk3vR0w2bLr8mJx1cQ9tUA" },
  },
  IdentitySecret: {
    schema: identitySecretAnswer,
    example: { secret: "9b1c6d0e4f7a8235c0d94e1f6a7b8c3d2e5f4a6b7c8d9e0f1a2b3c4d5e6f7081" },
  },
  PublicForm: {
    schema: formAnswer,
    example: { project: { name: "Web shop" }, challenge: { token: "1764322447482.q8sN", bits: 16 } },
  },
  PublicFormBody: {
    schema: formBody,
    example: { ...feedbackExample, challenge: "1764322447482.q8sN", nonce: "48151", website: "" },
  },
};
