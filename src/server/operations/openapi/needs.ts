import { isRead, type Operation } from "../../answers/operation.ts";

/** Who may call an operation, as it declares it (decisions.md 6). */

const NEEDS: Record<string, string> = {
  nothing: "No credential is needed.",
  caller: "Needs a session or a personal token.",
  session: "Needs a browser session; a token gets 403.",
  member: "Needs a member of the workspace.",
  administrator: "Needs an administrator of the workspace.",
  access: "Needs access to the project.",
};

const FEATURES = { reports: "Reports", error_tracking: "Error Tracking" };

/** One paragraph: need, scope, feature, project tokens, allowance. */
export function needsOf(operation: Operation): string {
  const { needs = "nothing", feature, projectToken, tokenOnly, limit = "api" } = operation.config;
  const sentences = [NEEDS[needs] ?? `Needs the permission \`${needs}\` in the project.`];
  if (needs !== "nothing" && needs !== "session") {
    if (tokenOnly) sentences.push("Takes tokens only.");
    if (!isRead(operation)) sentences.push("A personal token needs the write scope.");
    sentences.push(PROJECT_TOKENS[projectToken ?? "none"]);
  }
  if (feature) sentences.push(`The feature ${FEATURES[feature]} must be on.`);
  sentences.push(ALLOWANCES[limit]);
  return sentences.join(" ");
}

const PROJECT_TOKENS = {
  read: "A project token of this project may do it.",
  read_write: "A project token of this project with Read & write access may do it.",
  none: "A project token may not do it.",
};

const ALLOWANCES = {
  api: "Counts against the ordinary rate limit.",
  dismiss: "Has a rate limit of its own: that of dismissals.",
  ingest: "Has a rate limit of its own: that of error events.",
  sign_in: "Counts against the rate limit of sign-ins.",
  none: "Has no rate limit.",
};

/** Any one of these credentials will do. */
export function securityOf({ config }: Operation): Record<string, never[]>[] {
  const { needs = "nothing", tokenOnly } = config;
  if (needs === "nothing") return [];
  if (needs === "session") return [{ session: [] }];
  return tokenOnly ? [{ token: [] }] : [{ token: [] }, { session: [] }];
}
