import type { FastifySchemaCompiler, FastifyTypeProvider } from "fastify";
import type { z } from "zod";
import { invalid, notFound, type FieldErrors } from "./errors.ts";

/** Lets a route's `schema` be zod: the handler sees the parsed, repaired and whitelisted value. */
export interface ZodTypes extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
  serializer: this["schema"] extends z.ZodType ? z.input<this["schema"]> : unknown;
}

export const validateWithZod: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // A POST whose body may be empty is the same without one.
    const result = schema.safeParse(httpPart === "body" && data === undefined ? {} : data);
    return result.success ? { value: result.data } : { error: invalid(fieldErrors(result.error)) };
  };

/** Every failing field with its messages; nested fields dotted: `previous_exceptions.3.message`. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const field = issue.path.map(String).join(".") || "body";
    const messages = (errors[field] ??= []);
    const message =
      issue.code === "invalid_type" && issue.input === undefined ? "is required" : issue.message;
    if (!messages.includes(message)) messages.push(message);
  }
  return errors;
}

/** A path id: a positive integer, else the thing cannot exist. */
export function pathId(value: string | undefined, what = "Not found."): number {
  if (value === undefined || !/^[1-9][0-9]{0,15}$/.test(value)) throw notFound(what);
  const id = Number(value);
  if (!Number.isSafeInteger(id)) throw notFound(what);
  return id;
}
