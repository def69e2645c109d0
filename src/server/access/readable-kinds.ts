import type { RawBuilder } from "kysely";
import type { Permission } from "../../shared/permissions.ts";
import { holds, type Access } from "./project-access.ts";
import { projectsWhere, usersWhere, type ProjectRef } from "./access-queries.ts";
import { type Feature } from "./features.ts";
import type { Caller } from "./caller.ts";
import type { Features } from "../../shared/workspaces.ts";

type ReadRule = {
  /** A permission in the project, or any access to it. */
  needs: Permission | "access";
  /** The workspace's feature that must be on. */
  feature?: Feature;
  /** A project token may read it; without this, it may not. */
  projectToken?: "read";
};

/**
 * What it takes to read each kind of thing in a project. An entry is also the `config` of a route that reads that kind.
 * A comment is read with what it is on, an attachment with its report, issue, epic or error group. A notification is read
 * by its owner only, and only while they can read the issue or error group, or access the project or workspace, it is about.
 */
export const READING = {
  project: { needs: "access" },
  issue: { needs: "issues:read" },
  epic: { needs: "epics:read" },
  report: { needs: "reports:read", feature: "reports", projectToken: "read" },
  error_group: { needs: "error-groups:read", feature: "error_tracking", projectToken: "read" },
  release: { needs: "error-groups:read", feature: "error_tracking", projectToken: "read" },
} as const satisfies Record<string, ReadRule>;

export type ReadableKind = keyof typeof READING;

/** The kinds that are read by a permission of their own. */
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

export function mayProjectTokenRead(kind: ReadableKind): boolean {
  const { projectToken }: ReadRule = READING[kind];
  return projectToken !== undefined;
}

/** An SQL query for the ids of the projects, each once, in which the caller may read the kind. */
export function projectsReadable(caller: Caller, kind: PermittedKind): RawBuilder<unknown> {
  const { needs, feature }: { needs: Permission; feature?: Feature } = READING[kind];
  return projectsWhere(caller, needs, feature);
}

/**
 * An SQL query for the ids of the users, each once, whose role lets them read the kind in the project. It does not look
 * at the workspace's features.
 */
export function usersReading(project: ProjectRef, kind: PermittedKind): RawBuilder<unknown> {
  return usersWhere(project, READING[kind].needs);
}
