/** What a personal token can be limited to. In a file of its own, because the web app must not load zod. */

export const AREAS = ["reports", "issues", "errors"] as const;

export type Area = (typeof AREAS)[number];

/** `write` includes `read`. */
export type Scope = `${Area}:${"read" | "write"}`;

export const SCOPES = AREAS.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`]);
