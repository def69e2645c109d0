import type { Client } from "../support/client.ts";

/** The part of a JSON schema that the tests look at. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

/** A route with the schema and the example of its JSON body. */
export type Body = { route: string; schema: Schema; example: unknown };

type Content = Record<string, { schema: Schema; example?: unknown }>;
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Content } }>>;
  components: { schemas: Record<string, Schema> };
};

/** All JSON bodies in the OpenAPI document, with references resolved. */
export async function readBodies(client: Client): Promise<Body[]> {
  const { paths, components } = (await client.get("/api/openapi.json")).body as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const json = requestBody?.content["application/json"];
      if (!json) return [];
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      return [{ route, schema: resolve(json.schema, components.schemas), example: json.example ?? {} }];
    }),
  );
}

function resolve(schema: Schema, all: Record<string, Schema>): Schema {
  if (schema.$ref) return resolve(all[schema.$ref.split("/").at(-1) ?? ""] ?? {}, all);
  const { items, properties, anyOf, oneOf } = schema;
  const each = (list: Schema[]) => list.map((one) => resolve(one, all));
  return {
    ...schema,
    ...(items && { items: resolve(items, all) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, resolve(one, all)]),
      ),
    }),
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
  };
}

const alternatives = (schema: Schema): Schema[] => [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];

/** The path and schema of each field, also of nested objects and of the first element of arrays. */
export function fieldsOf(schema: Schema, path: string[] = []): [path: string[], schema: Schema][] {
  return alternatives(schema).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, one]) => withInner([...path, name], one)),
    ...(items ? withInner([...path, "0"], items) : []),
  ]);
}

const withInner = (path: string[], schema: Schema): ReturnType<typeof fieldsOf> => [
  [path, schema],
  ...fieldsOf(schema, path),
];

/** The JSON types that a field accepts. */
export function typesOf(schema: Schema): Set<string> {
  const ofOne = ({ type = [], const: only, enum: some = [] }: Schema) => [
    ...[type].flat(),
    ...[...some, ...(only === undefined ? [] : [only])].map((value) => typeof value),
  ];
  return new Set(alternatives(schema).flatMap(ofOne));
}

/** A copy of the body with the value in the field. */
export function placeIn(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === "0") return [placeIn(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const fields = (typeof body === "object" && body !== null && !Array.isArray(body) ? body : {}) as Fields;
  return { ...fields, [name]: placeIn(fields[name], rest, value) };
}

type Fields = Record<string, unknown>;
