import { z } from "zod";
import { REFUSALS, type Refusal } from "../../../answers/operation.ts";
import { JSON_TYPE, PROTOBUF } from "./write-response.ts";

/** Declares a response that is sent in the encoding of its request. */
export const inBothEncodings = (schema: z.ZodType) => ({
  content: { [JSON_TYPE]: { schema }, [PROTOBUF]: { schema: z.unknown() } },
});

const STATUSES: readonly Refusal[] = [400, 401, 403, 404, 408, 413, 415, 422, 429, 500, 503];

export const REFUSALS_IN_BOTH = Object.fromEntries(
  STATUSES.map((status) => [status, inBothEncodings(REFUSALS[status])]),
);
