import type { RawBuilder } from "kysely";
import type { Permission } from "../../shared/permissions.ts";
import { holds, type Access } from "./project-access.ts";
import { projectsWhere, usersWhere, type ProjectRef } from "./access-queries.ts";
import { type Feature } from "./features.ts";
import type { Area } from "../../shared/token-scopes.ts";
import type { Caller } from "./caller.ts";
import { scopeOf } from "./token-limits.ts";
import { coversArea } from "./token-scope.ts";
import type { Features } from "../../shared/workspaces.ts";

type ReadRule = {
  /** A permission in the project, or any access to it. */
  needs: Permission | "access";
  /** The workspace's feature that must be on. */
  feature?: Feature;
  /** A project token may read it; without this, it may not. */
  projectToken?: "read";
  /** The area of scoped tokens that it belongs to; without one, they may not read it. */
  area?: Area;
};

/**
 * The requirements for reading each kind of item in a project. An entry is also the `config` of routes that read the kind.
 * Comments and attachments can be read by everyone who may read their issue, epic, report or error group. A notification can
 * only be read by its owner, while they may read the issue or error group, or access the project or workspace, that it is about.
 */
export const READING = {
  project: { needs: "access" },
  issue: { needs: "issues:read", area: "issues" },
  epic: { needs: "epics:read", area: "issues" },
  report: { needs: "reports:read", feature: "reports", projectToken: "read", area: "reports" },
  error_group: {
    needs: "error-groups:read",
    feature: "error_tracking",
    projectToken: "read",
    area: "errors",
  },
  release: { needs: "error-groups:read", feature: "error_tracking", projectToken: "read", area: "errors" },
  monitor: { needs: "error-groups:read", feature: "error_tracking", projectToken: "read" },
} as const satisfies Record<string, ReadRule>;

export type ReadableKind = keyof typeof READING;

/** The kinds that require a permission. */
type PermittedKind = Exclude<ReadableKind, "project">;

/** Whether someone with this access to a project of a workspace with these features may read the kind there. */
export function mayRead(
  { access, features }: { access: Access; features: Features },
  kind: ReadableKind,
): boolean {
  const { needs, feature }: ReadRule = READING[kind];
  if (feature !== undefined && !features[feature]) return false;
  return needs === "access" || holds(access, needs);
}

/** Whether the caller's token includes the area of the kind. Scoped tokens may read the projects that they are for. */
export function isInScope(caller: Caller, kind: ReadableKind): boolean {
  const scope = scopeOf(caller);
  const { area }: ReadRule = READING[kind];
  return scope === null || kind === "project" || (area !== undefined && coversArea(scope, area, true));
}

export function mayProjectTokenRead(kind: ReadableKind): boolean {
  const { projectToken }: ReadRule = READING[kind];
  return projectToken !== undefined;
}

/** Selects the ids, without duplicates, of the projects where the caller may read the kind. */
export function projectsReadable(caller: Caller, kind: PermittedKind): RawBuilder<unknown> {
  const { needs, feature }: { needs: Permission; feature?: Feature } = READING[kind];
  return projectsWhere(caller, needs, feature);
}

/**
 * Selects the ids, without duplicates, of the users whose role permits reading the kind in the project. Does not check the
 * workspace's features.
 */
export function usersReading(project: ProjectRef, kind: PermittedKind): RawBuilder<unknown> {
  return usersWhere(project, READING[kind].needs);
}
