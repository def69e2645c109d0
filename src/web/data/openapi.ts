import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";

/** The server's own description of its API. It changes only with the server. */
export const openApiQuery = queryOptions({
  queryKey: ["openapi"],
  queryFn: ({ signal }) => api.get<OpenApi>("/api/openapi.json", signal),
  staleTime: Infinity,
});

/** The parts of an OpenAPI 3.1 document that the reference shows. */
export type OpenApi = {
  info: { title: string; version: string; description?: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DeclaredOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ApiAnswer> };
};

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

export type ApiParameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

/** A body: its schema and an example. */
export type ApiMedia = { schema: Schema; example?: unknown };
export type ApiAnswer = { $ref?: string; description?: string; content?: Record<string, ApiMedia> };

export type DeclaredOperation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: ApiParameter[];
  requestBody?: { required: boolean; content: Record<string, ApiMedia> };
  responses: Record<string, ApiAnswer>;
};
