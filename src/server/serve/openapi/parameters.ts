import type { z } from "zod";
import type { JsonSchema, JsonSchemas } from "./json-schema.ts";
import { acceptsIdempotencyKey, type Operation } from "../../answers/operation.ts";

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
};

const ID: JsonSchema = { type: "integer", minimum: 1 };

/** Path parameters other than plain ids. */
const PATH_PARAMETERS: Record<string, Omit<Parameter, "name" | "in" | "required">> = {
  projectId: {
    description: "The project's id or key.",
    schema: { anyOf: [ID, { type: "string", pattern: "^[A-Z][A-Z0-9]{1,9}$" }] },
    example: "WEB",
  },
  issueId: {
    description: "The issue's id or key.",
    schema: { anyOf: [ID, { type: "string", pattern: "^[A-Z][A-Z0-9]{1,9}-[1-9][0-9]*$" }] },
    example: "WEB-12",
  },
  token: { description: "The last part of the invitation's link.", schema: { type: "string" } },
  file: { description: "The file name.", schema: { type: "string" } },
};

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Repeats the first response, with `Idempotent-Replayed: true`, for requests with the same key, credential, URL and body within 24 hours. Another body returns 422. Responses 408, 409, 429 and 5xx are not repeated.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** The parameters of the path, of the query string and of the header. */
export function parametersOf(operation: Operation, schemas: JsonSchemas): Parameter[] {
  const inHeader = acceptsIdempotencyKey(operation) ? [IDEMPOTENCY_KEY] : [];
  return [...parametersOfUrl(operation, schemas), ...inHeader];
}

function parametersOfUrl({ url, schema }: Operation, schemas: JsonSchemas): Parameter[] {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const known = PATH_PARAMETERS[name] ?? { description: nameOf(name), schema: ID, example: 7 };
    return { name, in: "path" as const, required: true, ...known };
  });
  if (schema.querystring === undefined) return inPath;
  const query = schemas.of(schema.querystring as z.ZodType, "input");
  const properties = query["properties"] as Record<string, JsonSchema>;
  const required = (query["required"] ?? []) as string[];
  const inQuery = Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: "query" as const,
    required: required.includes(name),
    ...(typeof description === "string" ? { description: sentence(description) } : {}),
    schema: rest,
  }));
  return [...inPath, ...inQuery];
}

/** `errorGroupId` → `The id of the error group.` */
function nameOf(parameter: string): string {
  const words = parameter.replace(/Id$/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The id of the ${words}.`;
}

const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
