import { sql } from "kysely";
import type { CodeOwner } from "../../../shared/git.ts";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { usersWhere } from "../../access/access-queries.ts";
import type { Db } from "../../db/connect.ts";
import { ownersOfFile } from "./code-owners.ts";
import { topAppFile } from "./frame-paths.ts";

/**
 * The owners of the group's top frame of the app by the project's CODEOWNERS, in the order in which they are named. The first
 * person is `owners.find((owner) => "user_id" in owner)`. `frames` are those of the newest event with their original code: of a
 * minified frame, the original file counts.
 */
export async function ownersOfGroup(
  db: Db,
  projectId: number,
  groupId: number,
  frames: readonly KeptFrame[],
): Promise<CodeOwner[]> {
  const { rows } = await sql<{ code_owners: string | null; stack_trace: string }>`
    select p.code_owners, d.stack_trace
    from error_groups g join error_group_details d on d.group_id = g.id join projects p on p.id = g.project_id
    where g.id = ${groupId} and g.project_id = ${projectId}`.execute(db);
  const [row] = rows;
  if (!row?.code_owners) return [];
  const [owners = []] = await findOwners(db, projectId, {
    codeOwners: row.code_owners,
    files: [topOriginalFile(frames) ?? topAppFile(row.stack_trace)],
  });
  return owners;
}

/** The original file of the app's own frame closest to the error; undefined if that frame is not minified. */
const topOriginalFile = (frames: readonly KeptFrame[]) =>
  frames.find(({ in_app }) => in_app !== false)?.original?.filename;

/**
 * The people and teams with access to the project who own each file, in the order of the files. Others that are named are left out.
 */
export async function findOwners(
  db: Db,
  projectId: number,
  { codeOwners, files }: { codeOwners: string; files: (string | null)[] },
): Promise<CodeOwner[][]> {
  const named = files.flatMap((file, n) => {
    const names = file === null ? [] : ownersOfFile(codeOwners, file);
    return names.map((name, place) => ({ n, place, name }));
  });
  if (named.length === 0) return [];
  const { rows } = await sql<{ n: number; owner: CodeOwner }>`
    with named as materialized (
      select * from json_to_recordset(${JSON.stringify(named)}) as named (n int, place int, name text)
    ),
    people as materialized (
      select u.id, u.username, u.email from users u where u.id in (${usersWhere({ id: projectId })})
    ),
    found as (
      select n.n, n.place, 1 as rank, json_build_object('user_id', u.id, 'username', u.username) as owner,
        u.id as user_id, null::bigint as team_id
      from named n join people u
        on fold_case(n.name) = '@' || fold_case(u.username) or fold_case(n.name) = fold_case(u.email)
      union all
      select n.n, n.place, 2, json_build_object('team_id', t.id, 'name', t.name), null, t.id
      from named n join project_teams p on p.project_id = ${projectId} join teams t on t.id = p.team_id
        -- A team of an organization, @acme/shop, stands for the team shop. Names have hyphens for spaces.
        and lower(regexp_replace(n.name, '^@([^/]*/)?', '@')) in ('@' || lower(t.name), '@' || replace(lower(t.name), ' ', '-'))
    )
    select n, owner from (
      select distinct on (n, user_id, team_id) n, owner, place
      from (select distinct on (n, place) * from found order by n, place, rank) first
      order by n, user_id, team_id, place
    ) once order by n, place`.execute(db);
  const owners = files.map((): CodeOwner[] => []);
  for (const { n, owner } of rows) owners[n]?.push(owner);
  return owners;
}
