import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { announceDevelopment } from "../../work/issues/announce-development.ts";
import type { Check } from "./hosts/git-event.ts";
import type { Source } from "./source.ts";

/** Keeps the state of the latest run of a check, and updates the commit and the requests whose head it is. */
export async function applyCheck(tx: Tx, { project, host }: Source, check: Check): Promise<void> {
  const { repository, hash, name, run, changed_at, state } = check;
  await sql`
    insert into git_checks as c (project_id, host, repository, hash, name, run, changed_at, state)
    values (${project.id}, ${host}, ${repository}, ${hash}, ${name}, ${run}, ${changed_at}, ${state})
    on conflict (project_id, hash, name, repository, host) do update set
      run = excluded.run, changed_at = excluded.changed_at, state = excluded.state, received_at = excluded.received_at
    where excluded.run > c.run
      or excluded.run = c.run and coalesce(excluded.changed_at >= c.changed_at, true)`.execute(tx);
  await announceDevelopment(tx, project.id, await refreshChecks(tx, project.id, [hash]));
}

/** Sets `checks` of the commits and requests with these heads. Returns those that changed. */
export async function refreshChecks(tx: Tx, projectId: number, hashes: string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update git_changes c set checks = found.checks
    from git_changes same cross join lateral (
      select case when count(*) = 0 then null when bool_or(k.state = 'failing') then 'failing'
        when bool_or(k.state = 'pending') then 'pending' else 'passing' end as checks
      from git_checks k where k.project_id = same.project_id and k.hash = same.head_hash
        and k.repository = same.repository and k.host = same.host
    ) found
    where c.id = same.id and same.project_id = ${projectId} and same.head_hash = any(${hashes}::text[])
      and c.checks is distinct from found.checks
    returning c.id`.execute(tx);
  return rows.map(({ id }) => id);
}
