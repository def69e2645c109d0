import { JSON_TYPE, REFUSALS, type Refusal } from "../../answers/operation.ts";
import type { JsonSchema, JsonSchemas } from "./json-schema.ts";

type Told = { name: string; description: string; example: Record<string, unknown>; headers?: string[] };

/** The refusals as components, each with an example (service.md 7, decisions.md 1). */
const TOLD: Record<Refusal, Told> = {
  400: {
    name: "BadRequest",
    description: "The request could not be read: its body is not JSON or multipart, or it ended early.",
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
      "The credential lacks the access, the scope or the permission, or the workspace has the feature off.",
    example: { message: "Reports is switched off in this workspace.", feature_restricted: true },
  },
  404: {
    name: "NotFound",
    description: "Something that the path or the body names does not exist here.",
    example: { message: "There is no such project." },
  },
  413: {
    name: "TooLarge",
    description: "The body is larger than it may be.",
    example: { message: "The body is too large." },
  },
  415: {
    name: "UnsupportedType",
    description: "The content type or the compression is not supported here.",
    example: { message: "The content type is not supported here. Send application/json." },
  },
  422: {
    name: "Invalid",
    description: "The request was understood and is refused: `errors` names each failing field.",
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
    description: "Something went wrong on the server's side: the request changed everything or nothing.",
    example: {
      message: "Something went wrong on our side. It has been logged.",
      request_id: "3f1c9a52-7e0d-4k",
    },
  },
  503: {
    name: "Overloaded",
    description: "The server is busy, or its database is away for a moment.",
    example: { message: "The server is busy. Try again in a moment." },
    headers: ["Retry-After"],
  },
};

export const refusalRef = (status: number) => ({
  $ref: `#/components/responses/${TOLD[status as Refusal].name}`,
});

export const headersOfRefusal = (status: number) => TOLD[status as Refusal].headers ?? [];

export function refusalResponses(schemas: JsonSchemas): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(TOLD).map(([status, { name, description, example, headers = [] }]) => [
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
const whole = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } });

export const HEADERS = {
  "X-RateLimit-Limit": whole("Requests this credential has in any 60 seconds."),
  "X-RateLimit-Remaining": whole("How many of them are left."),
  "Retry-After": whole("Seconds after which it is worth trying again."),
  "WWW-Authenticate": text("`Bearer`."),
  Link: text('The next page: `<…>; rel="next"`. Absent on the last one.'),
  "Set-Cookie": text("The session."),
  "Content-Disposition": text("`attachment`, with the file's name."),
  Location: text("Where to go on."),
};
