import { projectReaders, type ProjectReader } from "../access/project-access.ts";
import { mayRead, type ReadableKind } from "../access/readable-kinds.ts";
import type { Db } from "../db/connect.ts";
import type { LiveChange } from "../record/live-changes.ts";

export type MayReceive = (change: LiveChange, userId: number) => boolean;

/**
 * Decides which of the users receive which of the changes. Access is read for each round of changes, in one query, and
 * never cached: a grant or a revocation applies to the next round.
 */
export async function receiversOf(db: Db, changes: LiveChange[], userIds: number[]): Promise<MayReceive> {
  const projects = new Set<number>();
  for (const { kind, project_id } of changes)
    if (kind !== "notification" && project_id !== null) projects.add(project_id);
  const readers = new Map<string, ProjectReader>();
  if (projects.size > 0 && userIds.length > 0)
    for (const reader of await projectReaders(db, [...projects], userIds))
      readers.set(`${reader.project_id} ${reader.user_id}`, reader);
  return (change, userId) => {
    if (change.user_id !== undefined && change.user_id !== userId) return false;
    // Only its owner receives a notification, even after losing access to what it is about.
    if (change.kind === "notification") return change.user_id === userId;
    const reader = readers.get(`${change.project_id} ${userId}`);
    return reader !== undefined && kindsRead(change).every((kind) => mayRead(reader, kind));
  };
}

/** The kinds that someone must be able to read to receive the change. */
function kindsRead({ kind, commentable }: LiveChange): ReadableKind[] {
  if (kind === "notification") return [];
  if (kind !== "comment") return [kind];
  if (commentable === undefined) return ["issue", "epic"];
  return [commentable.type === "issues" ? "issue" : "epic"];
}
