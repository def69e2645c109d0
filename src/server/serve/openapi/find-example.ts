import { z } from "zod";
import { NAMED_SCHEMAS } from "./named-schemas.ts";

const examples = new Map<z.ZodType, unknown>(
  Object.values(NAMED_SCHEMAS).map(({ schema, example }) => [schema, example]),
);

/** The example written for the schema, or one composed of its parts' examples. Undefined if a part has none. */
export function findExample(schema: z.ZodType): unknown {
  if (examples.has(schema)) return examples.get(schema);
  if (schema instanceof z.ZodArray) {
    const element = findExample(schema.element as z.ZodType);
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
    ([name, field]) => [name, findExample(field as z.ZodType)] as const,
  );
  return fields.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(fields);
}
