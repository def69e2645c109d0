import { sql, type RawBuilder } from "kysely";
import type { Caller } from "./caller.ts";
import type { TokenScope } from "./token-scope.ts";

/** The scope of the caller's token; null if the caller has no token or one that is not limited. */
export const scopeOf = (caller: Caller): TokenScope | null =>
  caller.kind === "personal" ? caller.scope : null;

/** Whether the caller's token is for this project. True without a token. */
export function isForProject(caller: Caller, projectId: number): boolean {
  if (caller.kind === "project") return caller.project_id === projectId;
  return scopeOf(caller)?.projectIds.has(projectId) ?? true;
}

/** The condition that the caller's token is for the project. */
export function forToken(caller: Caller, projectId: RawBuilder<unknown>): RawBuilder<unknown> {
  const scope = scopeOf(caller);
  if (scope !== null) return sql`${projectId} = any(${[...scope.projectIds]}::bigint[])`;
  return caller.kind === "project" ? sql`${projectId} = ${caller.project_id}` : sql`true`;
}
