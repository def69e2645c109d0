import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { describeAccess, securityOf } from "./describe-access.ts";
import { errorResponseRef, errorResponses, headerRefs, HEADERS, headersOfError } from "./error-responses.ts";
import { findExample } from "./find-example.ts";
import { JsonSchemas, type JsonSchema } from "./json-schema.ts";
import { NAMED_SCHEMAS } from "./named-schemas.ts";
import { answersOf, bodiesOf, isRevalidated, type Operation } from "../../answers/operation.ts";
import { parametersOf } from "./parameters.ts";
import { tagOf, TAGS } from "./tags.ts";
import { VERSION } from "../../config/version.ts";

const DESCRIPTION = `Everything that the web app can do. Names are snake_case, ids are positive integers, and times are ISO 8601 in UTC
with microseconds. In a path, a project or an issue can be identified by its key instead of its id.

Send a token in the header \`Authorization: Bearer …\`. Browsers use a session cookie instead; mutating requests with a cookie must
come from the app's own origin. Unknown fields of a body are ignored. \`null\` in an optional field means the same as omitting it; in
a PATCH, it clears fields that can be empty. Every GET route also responds to HEAD. Responses may gain fields.

Before it looks at the path, the server refuses requests that are not valid HTTP with 400, requests that do not arrive in time with
408, and headers above 16 KB with 431. These responses have a \`message\` like all errors.`;

/** The OpenAPI 3.1 document. Yields after each operation: generating everything takes half a second of CPU time. */
export async function openApiDocument(operations: Operation[]) {
  const schemas = new JsonSchemas(
    Object.fromEntries(Object.entries(NAMED_SCHEMAS).map(([name, { schema }]) => [name, schema])),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.url.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, schemas);
    await setImmediate();
  }
  const responses = errorResponses(schemas);
  const used = new Set(operations.map((operation) => tagOf(operation.url)));
  return {
    openapi: "3.1.1",
    info: {
      title: "Signalbox",
      version: VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY,
      headers: HEADERS,
      responses,
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const SECURITY = {
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A personal token (`sbx_pat_…`), a project token (`sbx_prj_…`) or, for sending error events, an ingest key.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "signalbox",
    description: "The cookie of a signed-in browser. On https, its name starts with `__Host-`.",
  },
};

function describe(operation: Operation, schemas: JsonSchemas): JsonSchema {
  const { url, schema } = operation;
  const parameters = parametersOf(operation, schemas);
  const bodies = bodiesOf(operation);
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    description: [schema.description, describeAccess(operation)].filter(Boolean).join("\n\n"),
    tags: [tagOf(url)],
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(bodies === undefined ? {} : { requestBody: requestBody(bodies, schemas) }),
    responses: Object.fromEntries(
      [...answersOf(operation)].map(([status, { content }]) => {
        if (status >= 400 && !isDeclared(operation, status)) return [status, errorResponseRef(status)];
        const headers = headersOf(operation, status);
        return [
          status,
          {
            description: DESCRIPTIONS[status] ?? "The response.",
            ...(headers.length === 0 ? {} : { headers: headerRefs(headers) }),
            ...(Object.keys(content).length === 0 ? {} : { content: contentOf(content, schemas, "output") }),
          },
        ];
      }),
    ),
  };
}

const isDeclared = ({ schema }: Operation, status: number) => Object.hasOwn(schema.response ?? {}, status);

function headersOf(operation: Operation, status: number): readonly string[] {
  const { config, schema } = operation;
  const limited = config.limit === "none" ? [] : ["X-RateLimit-Limit", "X-RateLimit-Remaining"];
  if (status >= 400) return [...limited, ...headersOfError(status)];
  const revalidated = isRevalidated(operation) ? ["ETag"] : [];
  return [...limited, ...revalidated, ...(schema.sends ?? [])];
}

function requestBody(bodies: Record<string, z.ZodType>, schemas: JsonSchemas): JsonSchema {
  const required = Object.values(bodies).every((schema) => !schema.safeParse({}).success);
  return { required, content: contentOf(bodies, schemas, "input") };
}

const DESCRIPTIONS: Record<number, string> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted: the data is committed to the database.",
  204: "Success, without a body.",
  302: "Redirect.",
  304: "Not modified.",
  401: "Rejected.",
  503: "Not ready.",
};

function contentOf(byType: Record<string, z.ZodType>, schemas: JsonSchemas, io: "input" | "output") {
  return Object.fromEntries(
    Object.entries(byType).map(([type, schema]) => {
      // Anything other than JSON is bytes or text without a schema.
      if (schema instanceof z.ZodUnknown) return [type, { schema: { type: "string" } }];
      const example = findExample(schema);
      return [type, { schema: schemas.of(schema, io), ...(example === undefined ? {} : { example }) }];
    }),
  );
}
