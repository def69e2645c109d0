import type { FastifyRequest, FastifySchemaCompiler, FastifyTypeProvider } from "fastify";
import { z } from "zod";
import { invalid, notFound, type FieldErrors } from "./errors.ts";

/** Lets a route's `schema` use zod: the handler receives the parsed value, without unknown fields. */
export interface ZodTypes extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
  serializer: this["schema"] extends z.ZodType ? z.input<this["schema"]> : unknown;
}

export const validateWithZod: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // A missing body arrives as null, and is treated like an empty object.
    const result = schema.safeParse(httpPart === "body" ? (data ?? {}) : data);
    const errors = {
      ...(result.success ? {} : fieldErrors(result.error)),
      ...(httpPart === "querystring" ? bracketErrors(schema, data as object) : {}),
    };
    return result.success && Object.keys(errors).length === 0
      ? { value: result.data }
      : { error: invalid(errors) };
  };

/** `limit[]=1` is meant to be `limit`, so it must not be ignored like an unknown parameter. */
function bracketErrors(schema: z.ZodType, query: object): FieldErrors {
  if (!(schema instanceof z.ZodObject)) return {};
  const names = Object.keys(query)
    .filter((name) => name.includes("["))
    .map((name) => name.slice(0, name.indexOf("[")));
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(schema.shape, name))
      .map((name) => [name, ["must be a single value"]]),
  );
}

/** Parses the value. 422 with every invalid field, including the errors in `more`. */
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

/** Every invalid field with its messages. Nested fields are dotted: `previous_exceptions.3.message`. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  collect(error.issues, [], errors);
  return errors;
}

/** Zod's default message for a union. */
const NO_MESSAGE = "Invalid input";

function collect(issues: z.core.$ZodIssue[], within: PropertyKey[], errors: FieldErrors) {
  for (const issue of issues) {
    const path = [...within, ...issue.path];
    // Unless a union has a message of its own, report its last alternative, which by convention has the most fields.
    const alternative =
      issue.code === "invalid_union" && issue.message === NO_MESSAGE ? issue.errors.at(-1) : undefined;
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

/** An id in the path. 404 unless it is a positive integer. */
export function pathId(value: string | undefined, what = "Not found."): number {
  const id = parseId(value);
  if (id === undefined) throw notFound(what);
  return id;
}

/** Undefined unless the text is a positive integer. */
export function parseId(text: string | undefined): number | undefined {
  const id = text !== undefined && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** An id in the path by its name, such as `laneId`. */
export function childId(request: FastifyRequest, name: string, what?: string): number {
  return pathId((request.params as Record<string, string | undefined>)[name], what);
}
