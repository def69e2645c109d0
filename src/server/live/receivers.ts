import { accessThrough, projectReaders, type ProjectReader } from "../access/project-access.ts";
import { isInScope, mayRead, type ReadableKind } from "../access/readable-kinds.ts";
import { isForProject, scopeOf } from "../access/token-limits.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";
import type { Comment } from "../../shared/comments.ts";
import type { LiveKind } from "../../shared/live-changes.ts";
import type { LiveChange } from "../record/live-changes.ts";

export type MayReceive = (change: LiveChange, caller: Caller) => boolean;

/**
 * Decides which callers, who are these users, receive which of the changes. Access is read for each round of changes, in at most two
 * queries, and never cached: a grant or a revocation applies to the next round.
 */
export async function receiversOf(db: Db, changes: LiveChange[], userIds: number[]): Promise<MayReceive> {
  const projects = new Set<number>();
  const workspaces = new Set<number>();
  for (const { kind, project_id, id } of changes)
    if (kind === "workspace") workspaces.add(id);
    else if (!isPersonal(kind) && project_id !== null) projects.add(project_id);
  const readers = new Map<string, ProjectReader>();
  if (projects.size > 0 && userIds.length > 0)
    for (const reader of await projectReaders(db, [...projects], userIds))
      readers.set(`${reader.project_id} ${reader.user_id}`, reader);
  const members = await membersOf(db, [...workspaces], userIds);
  return (change, caller) => {
    const userId = caller.user_id;
    if (scopeOf(caller) !== null && NOT_FOR_SCOPES.has(change.kind)) return false;
    if (change.user_id !== undefined && change.user_id !== userId) return false;
    if (isPersonal(change.kind)) return change.user_id === userId;
    if (change.kind === "workspace") return members.has(`${change.id} ${userId}`);
    const reader = readers.get(`${change.project_id} ${userId}`);
    if (reader === undefined || !isForProject(caller, reader.project_id)) return false;
    const through = { access: accessThrough(caller, reader.access), features: reader.features };
    return kindsRead(change).every((kind) => isInScope(caller, kind) && mayRead(through, kind));
  };
}

/** What scoped tokens may not read anywhere. */
const NOT_FOR_SCOPES: ReadonlySet<LiveKind> = new Set(["notification", "workspace"]);

/** Only the owner receives these, even after losing access to what a notification is about. */
const isPersonal = (kind: LiveKind) => kind === "notification" || kind === "profile";

/** `workspace user` for each active member. */
async function membersOf(db: Db, workspaceIds: number[], userIds: number[]): Promise<Set<string>> {
  if (workspaceIds.length === 0 || userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("workspace_members")
    .select(["workspace_id", "user_id"])
    .where("workspace_id", "in", workspaceIds)
    .where("user_id", "in", userIds)
    .where("deactivated_at", "is", null)
    .execute();
  return new Set(rows.map(({ workspace_id, user_id }) => `${workspace_id} ${user_id}`));
}

const COMMENTED = {
  issues: "issue",
  epics: "epic",
  error_groups: "error_group",
  reports: "report",
} as const satisfies Record<Comment["commentable_type"], ReadableKind>;

/** The kinds that someone must be able to read to receive the change. */
function kindsRead({ kind, commentable }: LiveChange): ReadableKind[] {
  if (kind === "notification" || kind === "profile" || kind === "workspace") return [];
  if (kind !== "comment") return [kind];
  return commentable === undefined ? Object.values(COMMENTED) : [COMMENTED[commentable.type]];
}
