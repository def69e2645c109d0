import { areaOf } from "./areas.ts";
import type { Target } from "./targets.ts";
import { may, THROW_AWAY, type Principal, type Scope, type Workspace } from "./principals.ts";
import type { Row } from "./row.ts";

const workspaceOf = (scope: Scope): Workspace => (scope === "C" ? "two" : "one");
const NEEDS_WORKSPACE = new Set(["member", "administrator"]);
const NO_PROJECT = new Set(["nothing", "caller", "session", "member", "administrator"]);

/**
 * The status that the API must return. Checks apply in this order: 401, 404 for an unknown project or workspace, 403, 404
 * for any other unknown object in the path, then the status of the row.
 */
export function expectedStatus(route: string, row: Row, who: Principal, target: Target): number {
  const status = row.statusOf?.(who) ?? row.status ?? 200;
  if (row.need === "ingest-key") return status;
  if (row.need === "nothing") return target.missing === undefined ? status : 404;
  if (who.kind === "nobody" || who.kind === "refused") return 401;
  if (who.kind === "ingest") return row.ingestKey ? status : 403;
  if (row.ingestKey === "only") return 403;
  if (row.tokenOnly && who.kind === "session") return 401;
  if (target.unknownRoot) return 404;
  const isRead = row.onlyReads ?? route.startsWith("GET ");
  if (isRefused(route, row, who, target, isRead)) return 403;
  const ruled = row.rule?.(who, target);
  if (ruled !== undefined) return ruled;
  if (isOfAnotherUser(route, who, target)) return 404;
  return target.missing === undefined ? status : 404;
}

/** Sessions, tokens and identities are only visible to the user who owns them. */
const isOfAnotherUser = (route: string, who: Principal, target: Target) =>
  /^\w+ \/api\/profile\/.*:/.test(route) && !(who.name === THROW_AWAY && target.scope === "A");

function isRefused(route: string, row: Row, who: Principal, target: Target, isRead: boolean): boolean {
  if (lacksScope(row, who, isRead) || lacksArea(route, who, isRead)) return true;
  if (NEEDS_WORKSPACE.has(row.need)) {
    const held = who.workspaces[workspaceOf(target.scope)];
    return held === undefined || (row.need === "administrator" && held !== "administrator");
  }
  if (row.need === "session") return who.kind !== "session";
  if (NO_PROJECT.has(row.need)) return false;
  if (who.rights[target.scope] === undefined) return true;
  if (who.kind === "project" && (who.project !== target.scope || !who.active)) return true;
  const holder = { ...who, rights: who.own ?? who.rights };
  return row.need !== "access" && !may(holder, target.scope, row.need as Parameters<typeof may>[2]);
}

function lacksScope(row: Row, who: Principal, isRead: boolean): boolean {
  if (who.kind === "personal") return !isRead && !who.write;
  if (who.kind !== "project") return false;
  return row.projectToken === undefined || (row.projectToken === "read_write" && !who.write);
}

/** Whether the token is limited to areas that do not include the route. */
function lacksArea(route: string, { scopes }: Principal, isRead: boolean): boolean {
  if (scopes === undefined) return false;
  const area = areaOf(route);
  if (area === undefined || area === "any") return area === undefined;
  return !scopes.includes(`${area}:write`) && !(isRead && scopes.includes(`${area}:read`));
}
