import { z } from "zod";
import { mustBe } from "./text.ts";

const base64url = (bytes: number, what: string) =>
  z
    .string(mustBe(what))
    .regex(/^[A-Za-z0-9_-]+$/, `must be ${what}`)
    .refine((value) => Math.floor((value.length * 3) / 4) === bytes, `must be ${what}`);

const endpoint = z
  .string(mustBe("an HTTPS address"))
  .max(2_000, "must have at most 2,000 characters")
  // URL parsers encode it, but PostgreSQL does not store it.
  .refine((value) => !value.includes("\0"), "must not contain a NUL character");

/** As a browser's `PushSubscription.toJSON()` returns it. */
export const pushSubscriptionBody = z.object({
  endpoint,
  keys: z.object(
    {
      p256dh: base64url(65, "a public key"),
      auth: base64url(16, "a secret of 16 bytes"),
    },
    mustBe("an object"),
  ),
});

export const pushEndpointBody = z.object({ endpoint });

/** The key that browsers need to subscribe, and the endpoints that this session has subscribed. */
export const pushKeyAnswer = z.strictObject({ public_key: z.string(), endpoints: z.array(z.string()) });

export type PushKey = z.infer<typeof pushKeyAnswer>;

const ENDPOINT = "https://push.example.com/send/c2lnbmFsYm94";
const PUBLIC_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

/** Examples for the API reference. */
export const pushExamples = {
  PushSubscription: {
    schema: pushSubscriptionBody,
    example: { endpoint: ENDPOINT, keys: { p256dh: PUBLIC_KEY, auth: "BTBZMqHH6r4Tts7J_aSIgg" } },
  },
  PushEndpoint: { schema: pushEndpointBody, example: { endpoint: ENDPOINT } },
  PushKey: { schema: pushKeyAnswer, example: { public_key: PUBLIC_KEY, endpoints: [ENDPOINT] } },
};
