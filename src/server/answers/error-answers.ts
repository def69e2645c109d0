import { z } from "zod";

/** Bodies of error responses. */

const message = z.string().min(1);

export const messageAnswer = z.strictObject({ message });

/** `feature_restricted` is set if the workspace has switched the feature off. */
export const forbiddenAnswer = messageAnswer.extend({ feature_restricted: z.literal(true).optional() });

/** `merged_into` is the error group that the one in the path was merged into. */
export const notFoundAnswer = messageAnswer.extend({ merged_into: z.int().positive().optional() });

/** Some conflicts name their cause: `error_group_id` is linked to `issue`. */
export const conflictAnswer = messageAnswer.extend({
  issue: z.strictObject({ id: z.int().positive(), key: z.string() }).optional(),
  error_group_id: z.int().positive().optional(),
});

/** `errors`: each invalid field with its messages; absent if the request as a whole is rejected. */
export const invalidAnswer = messageAnswer.extend({
  errors: z.record(z.string(), z.array(z.string()).min(1)).optional(),
});

/** `request_id` identifies the entry in the server's log. */
export const unexpectedAnswer = messageAnswer.extend({ request_id: z.string() });

/** Examples for the API reference. */
export const errorAnswerExamples = {
  Message: { schema: messageAnswer, example: { message: "There is no such project." } },
  Forbidden: { schema: forbiddenAnswer, example: { message: "You have no access to this project." } },
  NotFound: { schema: notFoundAnswer, example: { message: "There is no such project." } },
  Conflict: {
    schema: conflictAnswer,
    example: { message: "The error group is already linked to another issue." },
  },
  Invalid: {
    schema: invalidAnswer,
    example: { message: "title is required", errors: { title: ["is required"] } },
  },
  Unexpected: {
    schema: unexpectedAnswer,
    example: { message: "Something went wrong on our side. It has been logged.", request_id: "3f1c9a52-4k" },
  },
};
