import { z } from "zod";
import { isRedirectAddress } from "./redirect-address.ts";
import { line, mustBe, optional, text } from "./text.ts";

const MAX_ADDRESS = 2_048;

/** Characters that a name can use to look like another one. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}]/u;

const clientName = line(100).refine(
  (value) => !INVISIBLE.test(value),
  "must not contain invisible characters",
);

const MAX_REDIRECTS = 10;
const MAX_NAMES = 20;

/** Kinds of grants or responses, of which the client must use this one. Others are ignored. */
const including = (name: string) =>
  optional(
    z
      .array(text(100), mustBe("an array of names"))
      .max(MAX_NAMES, `must have at most ${MAX_NAMES} names`)
      .refine((names) => names.includes(name), `must include ${name}`),
  );

const REDIRECT_RULE = "must be an https:// address without user and fragment, or http:// on localhost";

const clientFields = {
  redirect_uris: z
    .array(line(MAX_ADDRESS).refine(isRedirectAddress, REDIRECT_RULE), mustBe("an array of addresses"))
    .min(1, "must have at least one address")
    .max(MAX_REDIRECTS, `must have at most ${MAX_REDIRECTS} addresses`),
  client_name: optional(clientName),
  grant_types: including("authorization_code"),
  response_types: including("code"),
};

/** RFC 7591. Every client is public: it gets no secret, whatever it asks for. */
export const registrationBody = z.object({
  ...clientFields,
  token_endpoint_auth_method: optional(text(100)),
});

/** A client id metadata document. */
export const clientDocument = z.object({
  ...clientFields,
  client_id: z.string(),
  token_endpoint_auth_method: optional(z.literal("none", "must be none: clients are public")),
});

export const registrationAnswer = z.strictObject({
  client_id: z.string(),
  /** Seconds since 1970. */
  client_id_issued_at: z.int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal("none"),
});

export type Registration = z.infer<typeof registrationAnswer>;

const redirect = "https://agent.example/callback";

/** Examples for the API reference. */
export const oauthClientExamples = {
  RegistrationBody: {
    schema: registrationBody,
    example: { client_name: "Example agent", redirect_uris: [redirect] },
  },
  Registration: {
    schema: registrationAnswer,
    example: {
      client_id: "app_4dV0jQk2h8sXzYw1",
      client_id_issued_at: 1_795_000_000,
      client_name: "Example agent",
      redirect_uris: [redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    } satisfies Registration,
  },
};
