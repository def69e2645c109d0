import { z } from "zod";
import { moment } from "./answers.ts";
import { id } from "./text.ts";

/** The contract of a person's list of sessions (platform.md). */

export const sessionAnswer = z.strictObject({
  id,
  /** The one that asks. */
  current: z.boolean(),
  user_agent: z.string().nullable(),
  created_at: moment,
  /** To the hour. */
  last_used_at: moment,
  expires_at: moment,
});

export type Session = z.infer<typeof sessionAnswer>;
