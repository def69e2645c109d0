import { z } from "zod";
import { count, moment } from "./answers.ts";

/** What became of the envelopes that were to be sent to another server, since its DSN was set. */
export const forwardingAnswer = z.strictObject({
  sent: count,
  /** The other server did not accept them. */
  failed: count,
  /** More were waiting than fit into memory, or the server stopped. */
  dropped: count,
  /** The latest one: a reason why there was no response, or the response's status; null if there was none. */
  last_error: z.string().nullable(),
  /** Null if the project has no DSN to forward to. */
  since: moment.nullable(),
});

export type Forwarding = z.infer<typeof forwardingAnswer>;

/** Examples for the API reference. */
export const forwardingExamples = {
  Forwarding: {
    schema: forwardingAnswer,
    example: {
      sent: 16_881,
      failed: 2,
      dropped: 0,
      last_error: "status 502",
      since: "2026-11-20T14:02:11.000000Z",
    },
  },
};
