import { z } from "zod";
import { moment } from "./answers.ts";
import { AT, LATER } from "./example-values.ts";
import { boolean, id, line, mustBe, optional } from "./text.ts";

export const MAX_INGEST_KEYS = 50;
const MAX_ORIGINS = 50;

const SHAPE = /^([a-z][a-z0-9+.-]{0,50}):\/\/(\*\.)?([^\s/?#@\\*]{1,255})$/i;

/**
 * The origin as browsers send it: in lower case, with punycode and without the default port. A leading `*.` stays.
 * Undefined if it is not an origin.
 */
function normalizeOrigin(value: string): string | undefined {
  const [, scheme = "", wildcard = "", host = ""] = SHAPE.exec(value.trim()) ?? [];
  const address = `${scheme}://${host}`;
  if (host === "" || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.host === "" ? undefined : `${url.protocol}//${wildcard}${url.host.toLowerCase()}`;
}

const allowedOrigins = z
  .array(
    z
      .string(mustBe("a string"))
      .refine(
        (value) => normalizeOrigin(value) !== undefined,
        "must be an origin such as https://shop.example.com or https://*.example.com",
      )
      .overwrite((value) => normalizeOrigin(value) ?? value),
    mustBe("a list of origins"),
  )
  .max(MAX_ORIGINS, `must have at most ${MAX_ORIGINS} origins`)
  .overwrite((origins) => [...new Set(origins)]);

export const ingestKeyBody = z.object({
  name: line(100),
  active: optional(boolean),
  /** Only pages of these origins may use the key; if empty, all pages may. `*.` stands for subdomains at any depth. */
  allowed_origins: optional(allowedOrigins),
});

export const ingestKeyChanges = z.object({
  name: optional(line(100)),
  active: optional(boolean),
  allowed_origins: optional(allowedOrigins),
});

export const ingestKeyAnswer = z.strictObject({
  id,
  name: z.string(),
  key: z.string(),
  /** The DSN to configure in Sentry SDKs and the reporter. */
  dsn: z.string(),
  active: z.boolean(),
  allowed_origins: z.array(z.string()),
  last_used_at: moment.nullable(),
  /** Null if the server created the key, or the user was deleted. */
  created_by: id.nullable(),
  created_at: moment,
});

export type IngestKey = z.infer<typeof ingestKeyAnswer>;

/** Examples for the API reference. */
export const ingestKeyExamples = {
  IngestKey: {
    schema: ingestKeyAnswer,
    example: {
      id: 8,
      name: "Web shop",
      key: "8f14e45fceea467a9b5d1c0f3a2b7e61",
      dsn: "https://8f14e45fceea467a9b5d1c0f3a2b7e61@signalbox.example.com/5",
      active: true,
      allowed_origins: ["https://shop.example.com"],
      last_used_at: LATER,
      created_by: 3,
      created_at: AT,
    },
  },
  IngestKeyBody: {
    schema: ingestKeyBody,
    example: { name: "Web shop", allowed_origins: ["https://shop.example.com"] },
  },
  IngestKeyChanges: { schema: ingestKeyChanges, example: { active: false } },
};
