import { text, type JsonRecord } from "../coerce.ts";
import type { SentException } from "./sent-exception.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** Shown in fields of their own. */
const OWN_FIELDS = new Set([
  "event.name",
  "deployment.environment",
  "deployment.environment.name",
  "service.version",
  "service.name",
  "service.namespace",
  "host.name",
  "process.runtime.name",
  "process.runtime.version",
  "telemetry.sdk.language",
  "http.route",
  "http.method",
  "http.request.method",
  "http.status_code",
  "http.response.status_code",
  "user_agent.original",
  "http.user_agent",
]);

/** Users, headers, queries, bodies, arguments and environments: never stored, whatever their values look like. */
const NEVER_STORED =
  /^(?:enduser|user|client|source)\.|^(?:http|rpc|messaging)\..*(?:headers?|metadata|body|content)\b|^process\.(?:command|environment|owner|user|executable\.path|working_directory)|^(?:url|http)\.(?:query|fragment|client_ip)|^net(?:work)?\.(?:sock\.)?(?:peer|local|host)\.(?:ip|addr)|^db\..*\bparameters?\b/;

/** The attributes that have no field of their own, those of the record before those of the resource. */
export function keptAttributes({ attributes, resource }: SentException): Attributes {
  const kept = [...Object.entries(resource), ...Object.entries(attributes)].filter(
    ([key]) => !OWN_FIELDS.has(key) && !NEVER_STORED.test(key),
  );
  return Object.fromEntries(kept);
}

/** What identifies the user, under the names that the rules for users of Sentry's SDKs know, and every other value about the user. */
export function userOf({ attributes, resource }: SentException): JsonRecord {
  const all: Attributes = { ...resource, ...attributes };
  const others = Object.entries(all).filter(([key]) => /^(?:enduser|user)\./.test(key));
  const id = text(all["enduser.id"], MAX_ID_LENGTH) ?? text(all["user.id"], MAX_ID_LENGTH);
  return { ...Object.fromEntries(others), ...(id !== null && { id }) };
}

const MAX_ID_LENGTH = 1_000;
