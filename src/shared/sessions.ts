import { z } from "zod";
import { moment } from "./answers.ts";
import { id } from "./text.ts";
import { AT, LATER } from "./example-values.ts";

/** Schema of a user's browser sessions. */

export const sessionAnswer = z.strictObject({
  id,
  /** The session that sends the request. */
  current: z.boolean(),
  user_agent: z.string().nullable(),
  created_at: moment,
  /** Updated at most once per hour. */
  last_used_at: moment,
  expires_at: moment,
});

export type Session = z.infer<typeof sessionAnswer>;

/** Examples for the API reference. */
export const sessionExamples = {
  Session: {
    schema: sessionAnswer,
    example: {
      id: 60,
      current: true,
      user_agent: "Mozilla/5.0",
      created_at: AT,
      last_used_at: LATER,
      expires_at: "2026-12-20T09:14:07.482913Z",
    },
  },
};
