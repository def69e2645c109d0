import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { exampleOf } from "./example-of.ts";
import { JsonSchemas, type JsonSchema } from "./json-schema.ts";
import { needsOf, securityOf } from "./needs.ts";
import { answersOf, bodiesOf, type Operation } from "../../answers/operation.ts";
import { parametersOf } from "./parameters.ts";
import { headerRefs, HEADERS, headersOfRefusal, refusalRef, refusalResponses } from "./refusals.ts";
import { RESOURCES } from "./resources.ts";
import { tagOf, TAGS } from "./tags.ts";
import { VERSION } from "../../config/version.ts";

const DESCRIPTION = `Everything the web app can do. Names are snake_case, ids positive integers, times ISO 8601 in UTC with
microseconds. A project may be named by its key in a path, an issue as well.

Requests carry a token, \`Authorization: Bearer …\`; browsers a session cookie, and then what changes something must come from the
app's own pages. Unknown fields of a body are ignored, and \`null\` in an optional field is the same as not sent; in a PATCH it clears
what can be empty. Every GET answers HEAD, too. Answers may gain fields.`;

/** The OpenAPI 3.1 document of these operations. Others are served between two of them: the whole takes half a second. */
export async function openApiDocument(operations: Operation[]) {
  const schemas = new JsonSchemas(
    Object.fromEntries(Object.entries(RESOURCES).map(([name, { schema }]) => [name, schema])),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.url.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, schemas);
    await setImmediate();
  }
  const responses = refusalResponses(schemas);
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
    description: "A personal token, `sbx_pat_…`, or a project token, `sbx_prj_…`.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "signalbox",
    description: "The cookie of a signed-in browser; on https its name begins with `__Host-`.",
  },
};

function describe(operation: Operation, schemas: JsonSchemas): JsonSchema {
  const { url, schema } = operation;
  const parameters = parametersOf(operation, schemas);
  const bodies = bodiesOf(operation);
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    description: [schema.description, needsOf(operation)].filter(Boolean).join("\n\n"),
    tags: [tagOf(url)],
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(bodies === undefined ? {} : { requestBody: requestBody(bodies, schemas) }),
    responses: Object.fromEntries(
      [...answersOf(operation)].map(([status, { content }]) => {
        if (status >= 400 && !isDeclared(operation, status)) return [status, refusalRef(status)];
        const headers = headersOf(operation, status);
        return [
          status,
          {
            description: WORDS[status] ?? "The answer.",
            ...(headers.length === 0 ? {} : { headers: headerRefs(headers) }),
            ...(Object.keys(content).length === 0 ? {} : { content: contentOf(content, schemas, "output") }),
          },
        ];
      }),
    ),
  };
}

const isDeclared = ({ schema }: Operation, status: number) => Object.hasOwn(schema.response ?? {}, status);

function headersOf({ config, schema }: Operation, status: number): readonly string[] {
  const limited = config.limit === "none" ? [] : ["X-RateLimit-Limit", "X-RateLimit-Remaining"];
  if (status >= 400) return [...limited, ...headersOfRefusal(status)];
  return [...limited, ...(schema.sends ?? [])];
}

function requestBody(bodies: Record<string, z.ZodType>, schemas: JsonSchemas): JsonSchema {
  const required = Object.values(bodies).every((schema) => !schema.safeParse({}).success);
  return { required, content: contentOf(bodies, schemas, "input") };
}

const WORDS: Record<number, string> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: it is in the database.",
  204: "Done; there is nothing to tell.",
  302: "Go on elsewhere.",
  304: "It is the same as before.",
  401: "Refused.",
  503: "Not ready.",
};

function contentOf(byType: Record<string, z.ZodType>, schemas: JsonSchemas, io: "input" | "output") {
  return Object.fromEntries(
    Object.entries(byType).map(([type, schema]) => {
      // What is no JSON is bytes or text without a shape.
      if (schema instanceof z.ZodUnknown) return [type, { schema: { type: "string" } }];
      const example = exampleOf(schema);
      return [type, { schema: schemas.of(schema, io), ...(example === undefined ? {} : { example }) }];
    }),
  );
}
