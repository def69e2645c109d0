import type { FastifyContextConfig } from "fastify";
import { isRead, type Operation } from "../../answers/operation.ts";

const REQUIREMENTS: Record<string, string> = {
  nothing: "Requires no credential.",
  caller: "Requires a session or a personal token.",
  session: "Requires a browser session; tokens get 403.",
  member: "Requires membership in the workspace.",
  administrator: "Requires an administrator of the workspace.",
  access: "Requires access to the project.",
};

const FEATURES = { reports: "Reports", error_tracking: "Error Tracking" };

/** A paragraph about permission, scope, project tokens, feature and rate limit. */
export function describeAccess(operation: Operation): string {
  const {
    needs = "nothing",
    feature,
    projectToken,
    ingestKey,
    tokenOnly,
    limit = "api",
    area,
  } = operation.config;
  if (ingestKey === "only") return `${ONLY_KEYS} ${RATE_LIMITS[limit]}`;
  const sentences = [REQUIREMENTS[needs] ?? `Requires the permission \`${needs}\` in the project.`];
  if (needs !== "nothing" && needs !== "session") {
    if (tokenOnly) sentences.push("Accepts tokens only, no sessions.");
    if (!isRead(operation)) sentences.push("A personal token must have the write scope.");
    sentences.push(scopeSentence(area, isRead(operation)));
    sentences.push(PROJECT_TOKENS[projectToken ?? "none"]);
    if (ingestKey) sentences.push("Accepts ingest keys of this project, which need no permission.");
  }
  if (feature) sentences.push(`The feature ${FEATURES[feature]} must be enabled.`);
  sentences.push(RATE_LIMITS[limit]);
  return sentences.join(" ");
}

function scopeSentence(area: FastifyContextConfig["area"], reads: boolean): string {
  if (area === undefined) return "Does not accept tokens with scopes.";
  if (area === "any") return "Accepts tokens with scopes, and shows them what they may read.";
  return `Tokens with scopes need \`${area}:${reads ? "read" : "write"}\`.`;
}

const ONLY_KEYS =
  "Requires an ingest key of the project, and accepts no other credential. The feature Reports must be enabled.";

const PROJECT_TOKENS = {
  read: "Accepts project tokens of this project.",
  read_write: "Accepts project tokens of this project with Read & write access.",
  none: "Does not accept project tokens.",
};

const RATE_LIMITS = {
  api: "Counts toward the general rate limit, which is higher for browser sessions.",
  dismiss: "Counts toward the rate limit for dismissals.",
  ingest: "Counts toward the rate limit for error events.",
  sign_in: "Counts toward the rate limit for sign-ins.",
  feedback: "Counts toward the rate limits for feedback, per IP address and per key.",
  none: "Has no rate limit.",
};

/** The accepted kinds of credentials. */
export function securityOf({ config }: Operation): Record<string, never[]>[] {
  const { needs = "nothing", tokenOnly } = config;
  if (needs === "nothing") return [];
  if (needs === "session") return [{ session: [] }];
  return tokenOnly ? [{ token: [] }] : [{ token: [] }, { session: [] }];
}
