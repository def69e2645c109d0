import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import type { References } from "./references.ts";

export type Mention = { change_id: number; references: References };

/** An issue or an error group that a commit or request names. */
export type NamedItem = {
  change_id: number;
  issue_id: number | null;
  group_id: number | null;
  closes: boolean;
};

/** Links commits and requests to what they name, and returns that, as far as the project has it, and what was not linked before. */
export async function linkChanges(
  tx: Tx,
  projectId: number,
  mentions: Mention[],
): Promise<{ named: NamedItem[]; linkedIds: number[] }> {
  const named = await findNamed(tx, projectId, mentions);
  if (named.length === 0) return { named, linkedIds: [] };
  const { rows } = await sql<{ change_id: number }>`
    with named as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as n (change_id bigint, issue_id bigint, group_id bigint, closes boolean)
    ),
    closing as (
      update git_links l set closes = true from named n
      where l.change_id = n.change_id and n.closes and not l.closes
        and (l.issue_id, l.group_id) is not distinct from (n.issue_id, n.group_id)
    )
    insert into git_links (change_id, issue_id, group_id, closes)
    select change_id, issue_id, group_id, closes from named order by change_id, issue_id, group_id
    on conflict do nothing returning change_id`.execute(tx);
  return { named, linkedIds: [...new Set(rows.map(({ change_id }) => change_id))] };
}

/** A group that was merged stands for its target. */
async function findNamed(tx: Tx, projectId: number, mentions: Mention[]): Promise<NamedItem[]> {
  const written = mentions.flatMap(({ change_id, references: { issues, groups } }) => [
    ...[...issues].map(([number, closes]) => ({ change_id, number, closes })),
    ...[...groups].map(([group, closes]) => ({ change_id, group, closes })),
  ]);
  if (written.length === 0) return [];
  const { rows } = await sql<NamedItem>`
    select w.change_id, i.id as issue_id, g.id as group_id, bool_or(w.closes) as closes
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
      as w (change_id bigint, number bigint, "group" bigint, closes boolean)
    left join issues i on i.project_id = ${projectId} and i.number = w.number
    left join error_groups g on g.project_id = ${projectId} and g.id = current_error_group(w."group")
    where i.id is not null or g.id is not null
    group by w.change_id, i.id, g.id order by w.change_id, i.id, g.id`.execute(tx);
  return rows;
}
