import { z } from "zod";
import { tokenProjects, tokenScopes } from "./personal-tokens.ts";
import { boolean, line, optional, text } from "./text.ts";
import { SCOPES, type Scope } from "./token-scopes.ts";

const MAX_ADDRESS = 2_048;
const MAX_STATE = 4_096;

/** The parameters of an authorization request (RFC 6749, 7636, 8707). Only those that say where the answer may go are checked here. */
export const authorizationParameters = z.object({
  client_id: line(MAX_ADDRESS),
  redirect_uri: line(MAX_ADDRESS),
  response_type: optional(text(100)),
  code_challenge: optional(text(200)),
  code_challenge_method: optional(text(100)),
  resource: optional(text(MAX_ADDRESS)),
  scope: optional(text(1_000)),
  state: optional(text(MAX_STATE)),
});

export type AuthorizationParameters = z.output<typeof authorizationParameters>;

/** What the consent page shows. */
export const authorizationAnswer = z.strictObject({
  client: z.strictObject({
    id: z.string(),
    name: z.string(),
    /** The host that publishes the client's metadata document; null for a client that registered itself under any name. */
    published_by: z.string().nullable(),
  }),
  redirect_host: z.string(),
  /** The answer goes to a program on the person's own computer. */
  is_local: z.boolean(),
  /** What the client asks for, to begin with. */
  scopes: z.array(z.enum(SCOPES)),
  /** Why the request cannot be granted, and the address that tells the client. */
  problem: z.strictObject({ message: z.string(), redirect_to: z.string() }).nullable(),
});

export type Authorization = z.infer<typeof authorizationAnswer>;

/** The decision: `scopes` and `project_ids` are what the person allows, whatever the client asked for. */
export const consentBody = z
  .object({
    ...authorizationParameters.shape,
    approve: boolean,
    scopes: optional(tokenScopes),
    project_ids: optional(tokenProjects),
  })
  .refine(({ approve, scopes }) => !approve || scopes !== undefined, {
    path: ["scopes"],
    error: "is required",
  })
  .refine(({ approve, project_ids }) => !approve || project_ids !== undefined, {
    path: ["project_ids"],
    error: "is required",
  });

/** Where the browser goes next, with the code or the refusal. */
export const consentAnswer = z.strictObject({ redirect_to: z.string() });

export type Consent = z.infer<typeof consentAnswer>;

/** Parameters of the token endpoint, which are a form. */
export const tokenForm = z.object({
  grant_type: text(100),
  client_id: line(MAX_ADDRESS),
  code: optional(text(200)),
  code_verifier: optional(text(200)),
  redirect_uri: optional(text(MAX_ADDRESS)),
  refresh_token: optional(text(200)),
  scope: optional(text(1_000)),
  resource: optional(text(MAX_ADDRESS)),
});

export type TokenForm = z.output<typeof tokenForm>;

export const tokenAnswer = z.strictObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.string(),
});

export type TokenAnswer = z.infer<typeof tokenAnswer>;

export const revocationForm = z.object({
  token: text(200),
  token_type_hint: optional(text(100)),
  client_id: optional(line(MAX_ADDRESS)),
});

/**
 * An error of the token, revocation and registration endpoints (RFC 6749 and 7591). `error` is missing if the request could not be read
 * at all.
 */
export const oauthErrorAnswer = z.strictObject({
  message: z.string(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

const scopes: Scope[] = ["issues:write", "errors:read"];
const redirect = "https://agent.example/callback";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const client_id = "app_4dV0jQk2h8sXzYw1";

/** Examples for the API reference. */
export const oauthExamples = {
  Authorization: {
    schema: authorizationAnswer,
    example: {
      client: { id: client_id, name: "Example agent", published_by: null },
      redirect_host: "agent.example",
      is_local: false,
      scopes,
      problem: null,
    } satisfies Authorization,
  },
  ConsentBody: {
    schema: consentBody,
    example: {
      client_id,
      redirect_uri: redirect,
      response_type: "code",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "af0ifjsldkj",
      approve: true,
      scopes,
      project_ids: [4],
    },
  },
  Consent: {
    schema: consentAnswer,
    example: {
      redirect_to: `${redirect}?code=…&state=af0ifjsldkj&iss=https%3A%2F%2Fsignalbox.example.com`,
    } satisfies Consent,
  },
  OAuthTokens: {
    schema: tokenAnswer,
    example: {
      access_token: "sbx_oat_…",
      token_type: "Bearer",
      expires_in: 3_600,
      refresh_token: "sbx_ort_…",
      scope: scopes.join(" "),
    } satisfies TokenAnswer,
  },
  TokenForm: {
    schema: tokenForm,
    example: {
      grant_type: "authorization_code",
      client_id,
      code: "…",
      code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      redirect_uri: redirect,
    },
  },
  RevocationForm: { schema: revocationForm, example: { token: "sbx_ort_…" } },
  OAuthError: {
    schema: oauthErrorAnswer,
    example: {
      message: "The code is unknown, used or expired.",
      error: "invalid_grant",
      error_description: "The code is unknown, used or expired.",
    },
  },
};
