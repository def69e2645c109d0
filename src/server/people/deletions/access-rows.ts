import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../db/connect.ts";

type Target = { workspaceId: number | null; projectIds: number[] };

type AccessTable = {
  name: string;
  of: "workspace" | "projects";
  /** Whether what the row `r` refers to still exists. */
  isValid: RawBuilder<unknown>;
};

const memberExists = sql`exists (
  select from workspace_members m where m.workspace_id = r.workspace_id and m.user_id = r.user_id)`;
const roleExists = sql`exists (select from roles o where o.workspace_id = r.workspace_id and o.id = r.role_id)`;
const creatorExists = sql`exists (select from users u where u.id = r.created_by)`;

/** The tables whose rows give access to a project or a workspace, in the order of their foreign keys. */
const TABLES: AccessTable[] = [
  {
    name: "workspace_members",
    of: "workspace",
    isValid: sql`exists (select from users u where u.id = r.user_id)`,
  },
  {
    name: "team_members",
    of: "workspace",
    isValid: sql`${memberExists} and exists (select from teams t where t.id = r.team_id)`,
  },
  { name: "invitations", of: "workspace", isValid: sql`true` },
  { name: "project_members", of: "projects", isValid: sql`${memberExists} and ${roleExists}` },
  {
    name: "project_teams",
    of: "projects",
    isValid: sql`${roleExists} and exists (select from teams t where t.id = r.team_id)`,
  },
  { name: "report_watchers", of: "projects", isValid: memberExists },
  {
    name: "invitation_projects",
    of: "projects",
    isValid: sql`${roleExists} and exists (select from invitations i where i.id = r.invitation_id)`,
  },
  { name: "project_tokens", of: "projects", isValid: creatorExists },
  { name: "ingest_keys", of: "projects", isValid: sql`(r.created_by is null or ${creatorExists})` },
];

/** Moves the rows to `deleted_access`. `workspaceId` is null if only projects are deleted. */
export async function takeAccessAway(
  tx: Tx,
  deletionId: number,
  { workspaceId, projectIds }: Target,
): Promise<void> {
  const matches = ({ of }: AccessTable) =>
    of === "workspace"
      ? sql`r.workspace_id = ${workspaceId}`
      : sql`r.project_id = any(${projectIds}::bigint[])`;
  for (const table of TABLES)
    await sql`
      insert into deleted_access (deletion_id, table_name, content)
      select ${deletionId}, ${table.name}, to_jsonb(r) from ${sql.table(table.name)} r where ${matches(table)}`.execute(
      tx,
    );
  for (const table of TABLES.toReversed())
    await sql`delete from ${sql.table(table.name)} r where ${matches(table)}`.execute(tx);
}

/** Puts the rows back, except those of people, teams and roles that are gone. */
export async function giveAccessBack(tx: Tx, deletionId: number): Promise<void> {
  for (const { name, isValid } of TABLES)
    await sql`
      insert into ${sql.table(name)} overriding system value
      select r.* from deleted_access d, jsonb_populate_record(null::${sql.table(name)}, d.content) r
      where d.deletion_id = ${deletionId} and d.table_name = ${name} and ${isValid}
      on conflict do nothing`.execute(tx);
}
