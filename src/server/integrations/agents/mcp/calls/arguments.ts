import { z } from "zod";

/** Arguments that several tools share. The routes check everything else. */

const isMissing = ({ input }: { input?: unknown }) => input === undefined;

const positive = {
  error: (issue: { input?: unknown }) => (isMissing(issue) ? "is required" : "must be a positive integer"),
};

export const id = (description: string) =>
  z.int(positive).positive("must be a positive integer").describe(description);

export const text = (description: string) =>
  z
    .string({ error: (issue) => (isMissing(issue) ? "is required" : "must be a string") })
    .describe(description);

export const project = z
  .union([z.string(), z.int()], {
    error: (issue) => (isMissing(issue) ? "is required" : "must be the id or key of a project"),
  })
  .describe("The key of the project, such as WEB, or its id.");

export const issue = z
  .union([z.string(), z.int()], {
    error: (issue) => (isMissing(issue) ? "is required" : "must be the id or key of an issue"),
  })
  .describe("The key of the issue, such as WEB-12, or its id.");

export const cursor = text("The cursor at the end of the previous answer, for the next page.").optional();

const MAX_LIMIT = 200;
const wholeLimit = `must be a whole number from 1 to ${MAX_LIMIT}`;
export const limit = z
  .int({ error: wholeLimit })
  .min(1, wholeLimit)
  .max(MAX_LIMIT, wholeLimit)
  .default(25)
  .describe("The most entries of the answer.");

/** A filter of a list. The route that lists checks its value. */
const filter = z.union([z.string(), z.number(), z.boolean()], {
  error: "must be a text, a number, true or false",
});

/** Optional arguments for the filters with these descriptions. */
export const filters = <Name extends string>(descriptions: Record<Name, string>) =>
  Object.fromEntries(
    Object.entries<string>(descriptions).map(([name, description]) => [
      name,
      filter.optional().describe(description),
    ]),
  ) as Record<Name, z.ZodOptional<typeof filter>>;
