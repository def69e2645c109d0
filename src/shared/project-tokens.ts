import { z } from "zod";
import { moment } from "./answers.ts";
import { boolean, clearable, future, id, line, mustBe, optional } from "./text.ts";
import { AT, LATER } from "./example-values.ts";

const access = z.enum(["read", "read_write"], mustBe("read or read_write"));

export const MAX_PROJECT_TOKENS = 50;

export const projectTokenBody = z.object({
  name: line(100),
  access,
  active: optional(boolean),
  expires_at: optional(future),
});

/** `expires_at: null` removes the expiry date. */
export const projectTokenChanges = z.object({
  name: optional(line(100)),
  access: optional(access),
  active: optional(boolean),
  expires_at: clearable(future),
});

export const projectTokenAnswer = z.strictObject({
  id,
  name: z.string(),
  access: z.enum(["read", "read_write"]),
  active: z.boolean(),
  last_four: z.string(),
  /** The token acts with this user's permissions. */
  created_by: id,
  expires_at: moment.nullable(),
  last_used_at: moment.nullable(),
  created_at: moment,
});

/** The only response that contains the token itself. */
export const newProjectTokenAnswer = projectTokenAnswer.extend({ token: z.string() });

export type ProjectToken = z.infer<typeof projectTokenAnswer>;

const projectToken = {
  id: 6,
  name: "shop",
  access: "read_write" as const,
  active: true,
  last_four: "x7Qd",
  created_by: 3,
  expires_at: null,
  last_used_at: LATER,
  created_at: AT,
};

/** Examples for the API reference. */
export const projectTokenExamples = {
  ProjectToken: { schema: projectTokenAnswer, example: projectToken },
  NewProjectToken: {
    schema: newProjectTokenAnswer,
    example: { ...projectToken, last_used_at: null, token: "sbx_prj_…" },
  },
  ProjectTokenBody: { schema: projectTokenBody, example: { name: "shop", access: "read_write" } },
  ProjectTokenChanges: { schema: projectTokenChanges, example: { active: false } },
};
