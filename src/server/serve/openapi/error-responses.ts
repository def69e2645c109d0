import { JSON_TYPE, REFUSALS, type Refusal } from "../../answers/operation.ts";
import type { JsonSchema, JsonSchemas } from "./json-schema.ts";

type ErrorResponse = {
  name: string;
  description: string;
  example: Record<string, unknown>;
  headers?: string[];
};

const ERROR_RESPONSES: Record<Refusal, ErrorResponse> = {
  400: {
    name: "BadRequest",
    description: "The request cannot be read: its body is not valid JSON or multipart, or is incomplete.",
    example: { message: "The body is not valid JSON." },
  },
  401: {
    name: "Unauthorized",
    description: "The credential is missing, invalid, revoked or expired.",
    example: { message: "The token is invalid, revoked or expired." },
    headers: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "The credential lacks access, a scope or a permission, or the workspace has the feature disabled.",
    example: { message: "Reports is turned off in this workspace.", feature_restricted: true },
  },
  404: {
    name: "NotFound",
    description: "Something that the path or the body refers to does not exist.",
    example: { message: "There is no such project." },
  },
  408: {
    name: "RequestTimeout",
    description: "The request did not arrive completely in time.",
    example: { message: "The request did not arrive completely in time." },
  },
  409: {
    name: "Conflict",
    description: "A request with the same Idempotency-Key is in progress.",
    example: { message: "A request with this Idempotency-Key is in progress. Try again in a moment." },
    headers: ["Retry-After"],
  },
  413: {
    name: "TooLarge",
    description: "The body is too large.",
    example: { message: "The body is too large." },
  },
  415: {
    name: "UnsupportedType",
    description: "The content type or the compression is not supported.",
    example: { message: "The content type is not supported here. Send application/json." },
  },
  422: {
    name: "Invalid",
    description: "The request is well-formed but invalid. `errors` contains the messages for each field.",
    example: {
      message: "title must be at most 255 characters",
      errors: { title: ["must be at most 255 characters"] },
    },
  },
  429: {
    name: "TooManyRequests",
    description: "The rate limit is exceeded.",
    example: { message: "Too many requests. Try again in 12 s." },
    headers: ["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining"],
  },
  500: {
    name: "Unexpected",
    description: "An unexpected error on the server. The request took effect completely or not at all.",
    example: {
      message: "Something went wrong on our side. It has been logged.",
      request_id: "3f1c9a52-7e0d-4k",
    },
  },
  502: {
    name: "DamagedFile",
    description: "The stored file differs from the one that was uploaded.",
    example: { message: "The file is damaged in storage. An administrator can restore it from a backup." },
  },
  503: {
    name: "Overloaded",
    description: "The server is overloaded, or its database or file storage is temporarily unavailable.",
    example: { message: "The server is busy. Try again in a moment." },
    headers: ["Retry-After"],
  },
};

export const errorResponseRef = (status: number) => ({
  $ref: `#/components/responses/${ERROR_RESPONSES[status as Refusal].name}`,
});

export const headersOfError = (status: number) => ERROR_RESPONSES[status as Refusal].headers ?? [];

export function errorResponses(schemas: JsonSchemas): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(ERROR_RESPONSES).map(([status, { name, description, example, headers = [] }]) => [
      name,
      {
        description,
        ...(headers.length === 0 ? {} : { headers: headerRefs(headers) }),
        content: {
          [JSON_TYPE]: { schema: schemas.of(REFUSALS[Number(status) as Refusal], "output"), example },
        },
      },
    ]),
  );
}

export const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const text = (description: string) => ({ description, schema: { type: "string" } });
const integer = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } });

export const HEADERS = {
  "X-RateLimit-Limit": integer("Requests allowed per 60 seconds."),
  "X-RateLimit-Remaining": integer("Requests left in the current 60 seconds."),
  "Retry-After": integer("Seconds to wait before retrying."),
  "WWW-Authenticate": text("`Bearer`."),
  ETag: text("Tag of this version. Send it in `If-None-Match` to get 304 while nothing has changed."),
  Link: text('URL of the next page: `<…>; rel="next"`. Absent on the last page.'),
  "Set-Cookie": text("The session cookie."),
  "Content-Disposition": text("`attachment`, with the file name."),
  Location: text("URL to redirect to."),
};
