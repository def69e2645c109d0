import type { ApiAnswer, DeclaredOperation, OpenApi, Schema } from "../data/openapi.ts";

export type Operation = DeclaredOperation & { method: string; path: string };

export type Area = { name: string; description: string; operations: Operation[] };

/** The operations that contain all words, by area. */
export function findOperations(document: OpenApi, query: string): Area[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => ({
      ...declared,
      method: method.toUpperCase(),
      path,
    })),
  );
  const found = all.filter(({ method, path, summary, operationId, tags }) => {
    const text = [method, path, summary, operationId, ...tags].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return document.tags.flatMap(({ name, description }) => {
    const operations = found.filter(({ tags }) => tags.includes(name));
    return operations.length === 0 ? [] : [{ name, description, operations }];
  });
}

const refName = (ref: string) => ref.replace(/.*\//, "");

/** What a reference points to. */
export const schemaOf = (document: OpenApi, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[refName(schema.$ref)] ?? {});

export const answerOf = (document: OpenApi, answer: ApiAnswer): ApiAnswer =>
  answer.$ref === undefined ? answer : (document.components.responses[refName(answer.$ref)] ?? {});

/** A type in words: `integer or null`, `list of Report`, `"open" or "closed"`. */
export function typeText(schema: Schema): string {
  const { $ref, type, format, items, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return refName($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeText))].join(" or ");
  if (allOf !== undefined) return allOf.map(typeText).join(" and ");
  if (type === "array") return items === undefined ? "list" : `list of ${typeText(items)}`;
  if (type === undefined) return "any";
  const types = [type].flat().join(" or ");
  return format === undefined ? types : `${types} (${format})`;
}

/** The fields of an object, of the items of a list, or of the first variant that has any. */
export function fieldsOf(
  document: OpenApi,
  schema: Schema,
): [name: string, field: Schema, required: boolean][] {
  const { properties, required = [], items, additionalProperties, ...rest } = schemaOf(document, schema);
  if (properties !== undefined)
    return Object.entries(properties).map(([name, field]) => [name, field, required.includes(name)]);
  if (items !== undefined) return fieldsOf(document, items);
  if (typeof additionalProperties === "object") return fieldsOf(document, additionalProperties);
  if (rest.allOf !== undefined) return rest.allOf.flatMap((part) => fieldsOf(document, part));
  for (const variant of rest.anyOf ?? rest.oneOf ?? []) {
    const fields = fieldsOf(document, variant);
    if (fields.length > 0) return fields;
  }
  return [];
}
