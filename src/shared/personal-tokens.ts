import { z } from "zod";
import { moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { boolean, distinctIds, future, id, line, mustBe, optional } from "./text.ts";
import { SCOPES } from "./token-scopes.ts";

const MAX_PROJECTS = 1_000;

export const tokenScopes = z
  .array(z.enum(SCOPES, { error: () => `must be one of ${SCOPES.join(", ")}` }), mustBe("an array of scopes"))
  .min(1, "must have at least one scope")
  .max(SCOPES.length, `must have at most ${SCOPES.length} scopes`)
  .refine((names) => new Set(names).size === names.length, "must have each scope at most once");

export const tokenProjects = distinctIds
  .min(1, "must have at least one project")
  .max(MAX_PROJECTS, `must have at most ${MAX_PROJECTS.toLocaleString("en")} projects`);

/** With `scopes` and `project_ids`, the token may only do this in these projects, and `write` follows from `scopes`. */
export const personalTokenBody = z
  .object({
    name: line(100),
    write: optional(boolean),
    scopes: optional(tokenScopes),
    project_ids: optional(tokenProjects),
    expires_at: optional(future),
  })
  .refine((body) => body.scopes === undefined || body.project_ids !== undefined, {
    path: ["project_ids"],
    error: "is required with scopes",
  })
  .refine((body) => body.project_ids === undefined || body.scopes !== undefined, {
    path: ["scopes"],
    error: "is required with project_ids",
  });

export const personalTokenAnswer = z.strictObject({
  id,
  name: z.string(),
  last_four: z.string(),
  write: z.boolean(),
  /** What the token is limited to; both null if it may do everything that its user may. */
  scopes: z.array(z.enum(SCOPES)).nullable(),
  project_ids: z.array(id).nullable(),
  /** The app that a person connected with OAuth, and where its answers go; null for a token that a person created. */
  client: z.strictObject({ id: z.string(), redirect_host: z.string() }).nullable(),
  expires_at: moment.nullable(),
  last_used_at: moment.nullable(),
  created_at: moment,
});

/** The only response that contains the token itself. */
export const newPersonalTokenAnswer = personalTokenAnswer.extend({ token: z.string() });

export type PersonalToken = z.infer<typeof personalTokenAnswer>;

const personalToken: PersonalToken = {
  id: 15,
  name: "triage agent",
  last_four: "p0Zt",
  write: true,
  scopes: ["issues:write", "errors:read"],
  project_ids: [4],
  client: null,
  expires_at: "2027-05-20T00:00:00.000000Z",
  last_used_at: null,
  created_at: AT,
};

/** Examples for the API reference. */
export const personalTokenExamples = {
  PersonalToken: { schema: personalTokenAnswer, example: personalToken },
  NewPersonalToken: { schema: newPersonalTokenAnswer, example: { ...personalToken, token: "sbx_pat_…" } },
  PersonalTokenBody: {
    schema: personalTokenBody,
    example: {
      name: "triage agent",
      scopes: ["issues:write", "errors:read"],
      project_ids: [4],
      expires_at: "2100-01-01T00:00:00Z",
    },
  },
};
