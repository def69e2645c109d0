import type { Permission } from "../../src/shared/permissions.ts";
import type { Answer } from "../support/client.ts";
import { isMember, may, type Principal, type Scope } from "./principals.ts";

/** A text that names the project and the kind of thing it belongs to: `MARKER-B-issue`. */
export const marker = (scope: Scope, kind: MarkerKind) => `MARKER-${scope}-${kind}`;

/** What a principal needs in the project or workspace to see a marker of this kind. */
const KINDS = {
  project: "access",
  issue: "issues:read",
  epic: "epics:read",
  report: "reports:read",
  error: "error-groups:read",
  person: "member",
  team: "member",
  role: "member",
  invitation: "administrator",
} as const satisfies Record<string, "access" | "member" | "administrator" | Permission>;

export type MarkerKind = keyof typeof KINDS;

const ALL = (["A", "B", "C"] as const).flatMap((scope) =>
  (Object.keys(KINDS) as MarkerKind[]).map((kind) => ({
    scope,
    kind,
    text: marker(scope, kind).toLowerCase(),
  })),
);

/** The markers in a response that the principal may not see. With `within`, also those of other projects. */
export function leaks(who: Principal, answer: Pick<Answer, "text" | "headers">, within?: Scope): string[] {
  const content = `${JSON.stringify(answer.headers)}\n${answer.text}`.toLowerCase();
  if (!content.includes("marker-")) return [];
  return ALL.filter(({ text }) => content.includes(text))
    .filter(({ scope, kind }) => !maySee(who, scope, kind) || (within !== undefined && within !== scope))
    .map(({ text }) => text);
}

function maySee(who: Principal, scope: Scope, kind: MarkerKind): boolean {
  const need = KINDS[kind];
  const workspace = scope === "C" ? "two" : "one";
  if (who.kind === "nobody" || who.kind === "refused" || who.kind === "ingest") return false;
  if (who.kind === "project")
    return (
      (kind === "report" || kind === "error") &&
      who.active &&
      who.project === scope &&
      may(who, scope, need as Permission)
    );
  if (need === "access") return who.rights[scope] !== undefined;
  if (need === "member") return isMember(who, workspace);
  if (need === "administrator") return who.workspaces[workspace] === "administrator";
  return may(who, scope, need);
}
