import type { z } from "zod";
import type { JsonSchema, JsonSchemas } from "./json-schema.ts";
import type { Operation } from "../../answers/operation.ts";

export type Parameter = {
  name: string;
  in: "path" | "query";
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

/** The parameters of the path and of the query string. */
export function parametersOf({ url, schema }: Operation, schemas: JsonSchemas): Parameter[] {
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
