import { z } from "zod";
import { RESOURCES } from "./resources.ts";

const examples = new Map<z.ZodType, unknown>(
  Object.values(RESOURCES).map(({ schema, example }) => [schema, example]),
);

/**
 * An example of what has this schema: the one written for it, or one put together of what its parts have. undefined
 * when that cannot be done.
 */
export function exampleOf(schema: z.ZodType): unknown {
  if (examples.has(schema)) return examples.get(schema);
  if (schema instanceof z.ZodArray) {
    const element = exampleOf(schema.element as z.ZodType);
    return element === undefined ? undefined : [element];
  }
  if (schema instanceof z.ZodObject) return objectExample(schema);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodNull) return null;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return 7;
  if (schema instanceof z.ZodLiteral) return schema.values.values().next().value;
  return undefined;
}

function objectExample(schema: z.ZodObject): unknown {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, exampleOf(field as z.ZodType)] as const,
  );
  return fields.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(fields);
}
