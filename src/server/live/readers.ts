import type { Permission } from "../../shared/permissions.ts";
import { type ProjectReader, holds, projectReaders } from "../access/project-access.ts";
import type { Feature } from "../access/features.ts";
import type { Db } from "../db/connect.ts";
import type { LiveChange } from "../record/live-changes.ts";

type Rule = { needs: Permission[]; feature?: Feature };

/** What it takes to hear of a change; of a project's own, any access to it. */
function ruleOf({ kind, commentable }: LiveChange): Rule {
  switch (kind) {
    case "issue":
      return { needs: ["issues:read"] };
    case "epic":
      return { needs: ["epics:read"] };
    case "report":
      return { needs: ["reports:read"], feature: "reports" };
    case "error_group":
      return { needs: ["error-groups:read"], feature: "error_tracking" };
    case "comment":
      if (commentable === undefined) return { needs: ["issues:read", "epics:read"] };
      return { needs: [commentable.type === "issues" ? "issues:read" : "epics:read"] };
    default:
      return { needs: [] };
  }
}

export type May = (change: LiveChange, userId: number) => boolean;

/**
 * Which of the users may hear of which of the changes. Read anew for each round of changes, by one query for all of them
 * and never remembered: access given a moment ago counts as much as access taken away.
 */
export async function readersOf(db: Db, changes: LiveChange[], userIds: number[]): Promise<May> {
  const projects = new Set<number>();
  for (const { kind, project_id } of changes)
    if (kind !== "notification" && project_id !== null) projects.add(project_id);
  const readers = new Map<string, ProjectReader>();
  if (projects.size > 0 && userIds.length > 0)
    for (const reader of await projectReaders(db, [...projects], userIds))
      readers.set(`${reader.project_id} ${reader.user_id}`, reader);
  return (change, userId) => {
    if (change.user_id !== undefined && change.user_id !== userId) return false;
    // An inbox is its owner's, whatever it tells of.
    if (change.kind === "notification") return change.user_id === userId;
    const reader = readers.get(`${change.project_id} ${userId}`);
    return reader !== undefined && may(reader, ruleOf(change));
  };
}

function may(reader: ProjectReader, { needs, feature }: Rule): boolean {
  if (feature !== undefined && !reader.features[feature]) return false;
  return needs.every((permission) => holds(reader.access, permission));
}
