import type { z } from "zod";
import { BODIES } from "./example-bodies.ts";
import { ANSWERS } from "./example-answers.ts";

/** A schema that the document names, with an example of it. */
export type Resource = { schema: z.ZodType; example: unknown };

/** By the names of the document's components. */
export const RESOURCES: Record<string, Resource> = { ...ANSWERS, ...BODIES };
