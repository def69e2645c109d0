import type { FastifyRequest, FastifySchemaCompiler, FastifyTypeProvider } from "fastify";
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
    // A POST whose body may be empty is the same without one, which arrives here as null.
    const result = schema.safeParse(httpPart === "body" ? (data ?? {}) : data);
    return result.success ? { value: result.data } : { error: invalid(fieldErrors(result.error)) };
  };

/** The value as a schema has it; else 422 with every failing field, those of `more` among them. */
export function validated<T extends z.ZodType>(
  schema: T,
  data: unknown,
  more: FieldErrors = {},
): z.output<T> {
  const result = schema.safeParse(data ?? {});
  const errors = { ...(result.success ? {} : fieldErrors(result.error)), ...more };
  if (!result.success || Object.keys(errors).length > 0) throw invalid(errors);
  return result.data;
}

/** Every failing field with its messages; nested fields dotted: `previous_exceptions.3.message`. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  collect(error.issues, [], errors);
  return errors;
}

function collect(issues: z.core.$ZodIssue[], within: PropertyKey[], errors: FieldErrors) {
  for (const issue of issues) {
    const path = [...within, ...issue.path];
    // Of a body's alternatives the last is the fullest: its fields are what can be put right.
    const alternative = issue.code === "invalid_union" ? issue.errors.at(-1) : undefined;
    if (alternative) {
      collect(alternative, path, errors);
      continue;
    }
    const isBody = path.length === 0 && issue.code === "invalid_type";
    const messages = (errors[path.map(String).join(".") || "body"] ??= []);
    const message = isBody ? "must be a JSON object" : issue.message;
    if (!messages.includes(message)) messages.push(message);
  }
}

/** A path id: a positive integer, else the thing cannot exist. */
export function pathId(value: string | undefined, what = "Not found."): number {
  if (value === undefined || !/^[1-9][0-9]{0,15}$/.test(value)) throw notFound(what);
  const id = Number(value);
  if (!Number.isSafeInteger(id)) throw notFound(what);
  return id;
}

/** The id of a child in the path, such as `laneId`. */
export function childId(request: FastifyRequest, name: string, what?: string): number {
  return pathId((request.params as Record<string, string | undefined>)[name], what);
}
