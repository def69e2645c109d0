import { sql } from "kysely";
import { usersWhere } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";

export type ProjectRef = { id: number; workspace_id: number; key: string };

/** The ids in a request body. Undefined, null and an empty list refer to nothing. */
export type References = {
  lane_id?: number | undefined;
  assignee_id?: number | null | undefined;
  sprint_id?: number | null | undefined;
  epic_id?: number | null | undefined;
  label_ids?: number[] | null | undefined;
  blocked_by_ids?: number[] | null | undefined;
  blocks_ids?: number[] | null | undefined;
  relates_to_ids?: number[] | null | undefined;
  parent_id?: number | null | undefined;
  duplicate_of_id?: number | null | undefined;
};

const SINGLE = {
  lane_id: "lane",
  sprint_id: "sprint",
  epic_id: "epic",
  parent_id: "issue",
  duplicate_of_id: "issue",
} as const;
const LISTS = {
  label_ids: "label",
  blocked_by_ids: "issue",
  blocks_ids: "issue",
  relates_to_ids: "issue",
} as const;

/**
 * Throws 422 with every field that refers to something outside the project: `lane_id`, `label_ids.1`. An assignee must
 * be able to access the project. `self` is the issue that is updated, which cannot refer to itself. The caller holds the
 * project's lock, which keeps the referenced rows from being deleted.
 */
export async function requireReferences(
  tx: Tx,
  project: ProjectRef,
  refs: References,
  self?: number,
): Promise<void> {
  const existing = await readKnown(tx, project, refs);
  const errors: FieldErrors = {};
  for (const [field, kind] of Object.entries(SINGLE)) {
    const id = refs[field as keyof typeof SINGLE];
    if (id && !existing.has(`${kind} ${id}`)) errors[field] = [`is not ${article(kind)} of the project`];
    else if (id && kind === "issue" && id === self) errors[field] = ["must not be the issue itself"];
  }
  if (refs.assignee_id && !existing.has(`user ${refs.assignee_id}`))
    errors["assignee_id"] = ["cannot access the project"];
  for (const [field, kind] of Object.entries(LISTS))
    for (const [index, id] of (refs[field as keyof typeof LISTS] ?? []).entries()) {
      if (!existing.has(`${kind} ${id}`))
        errors[`${field}.${index}`] = [`is not ${article(kind)} of the project`];
      else if (kind === "issue" && id === self)
        errors[`${field}.${index}`] = ["must not be the issue itself"];
    }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const article = (kind: string) => (/^[aei]/.test(kind) ? `an ${kind}` : `a ${kind}`);

/** The referenced rows that exist in the project, as `label 12`. One query, or none if there are no references. */
async function readKnown(tx: Tx, project: ProjectRef, refs: References): Promise<Set<string>> {
  const issues = [
    ...(refs.blocked_by_ids ?? []),
    ...(refs.blocks_ids ?? []),
    ...(refs.relates_to_ids ?? []),
    ...(refs.parent_id ? [refs.parent_id] : []),
    ...(refs.duplicate_of_id ? [refs.duplicate_of_id] : []),
  ];
  const wanted = [
    ...(refs.lane_id ? [within(project, "lane", [refs.lane_id])] : []),
    ...(refs.sprint_id ? [within(project, "sprint", [refs.sprint_id])] : []),
    ...(refs.epic_id ? [within(project, "epic", [refs.epic_id])] : []),
    ...(refs.label_ids?.length ? [within(project, "label", refs.label_ids)] : []),
    ...(issues.length > 0 ? [within(project, "issue", issues)] : []),
    ...(refs.assignee_id ? [userWithAccess(project, refs.assignee_id)] : []),
  ];
  if (wanted.length === 0) return new Set();
  const { rows } = await sql<{ known: string }>`${sql.join(wanted, sql` union all `)}`.execute(tx);
  return new Set(rows.map((row) => row.known));
}

function within(project: ProjectRef, kind: "lane" | "sprint" | "epic" | "label" | "issue", ids: number[]) {
  return sql`select ${`${kind} `} || id as known from ${sql.table(`${kind}s`)}
    where project_id = ${project.id} and id = any(${ids}::bigint[])`;
}

function userWithAccess(project: ProjectRef, userId: number) {
  return sql`select 'user ' || user_id as known from (${usersWhere(project)}) one where user_id = ${userId}`;
}
