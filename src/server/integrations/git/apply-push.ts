import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { shipLateCommits } from "../../errors/releases/ship-commits.ts";
import { announceDevelopment } from "../../work/issues/announce-development.ts";
import { refreshChecks } from "./apply-check.ts";
import type { Push, PushedCommit } from "./hosts/git-event.ts";
import { linkChanges } from "./link-changes.ts";
import { closeNamed } from "./move-named.ts";
import { findReferences } from "./references.ts";
import type { Source } from "./source.ts";

/**
 * Stores and links pushed commits. Those that a push adds to the default branch close what they name with a keyword. Commits of other
 * branches that name nothing are not stored.
 */
export async function applyPush(tx: Tx, source: Source, push: Push): Promise<void> {
  const { project } = source;
  const commits = [...new Map(push.commits.map((commit) => [commit.hash, commit])).values()].map(
    (commit) => ({
      ...commit,
      references: findReferences(commit.message, project.key),
    }),
  );
  const stored = commits.filter(
    ({ references }) => push.isDefaultBranch || references.issues.size + references.groups.size > 0,
  );
  if (stored.length === 0) return;
  const onDefaultBranch = await findOnDefaultBranch(tx, source, push.repository, stored);
  const added = push.isDefaultBranch ? stored.filter(({ hash }) => !onDefaultBranch.has(hash)) : [];
  const room = await makeRoom(tx, source, push, added.length);
  const ids = await storeCommits(tx, source, push, { stored, added, first: room.first });
  const checkedIds = await refreshChecks(tx, project.id, [...ids.keys()]);
  const { named, linkedIds } = await linkChanges(
    tx,
    project.id,
    stored.map(({ hash, references }) => ({ change_id: ids.get(hash) as number, references })),
  );
  const addedIds = new Set(added.map(({ hash }) => ids.get(hash)));
  await closeNamed(tx, project, {
    named: named.filter(({ change_id }) => addedIds.has(change_id)),
    actorName: "A commit",
  });
  await announceDevelopment(tx, project.id, [...new Set([...linkedIds, ...checkedIds])]);
  if (added.length > 0) await shipLateCommits(tx, project.id, [...ids.keys(), ...room.followers]);
}

async function findOnDefaultBranch(
  tx: Tx,
  { project, host }: Source,
  repository: string,
  commits: PushedCommit[],
): Promise<Set<string>> {
  const { rows } = await sql<{ ref: string }>`
    select ref from git_changes
    where project_id = ${project.id} and host = ${host} and repository = ${repository} and kind = 'commit'
      and ref = any(${commits.map(({ hash }) => hash)}::text[]) and position is not null`.execute(tx);
  return new Set(rows.map(({ ref }) => ref));
}

/**
 * Makes room for so many commits at their place on the default branch, and returns the first of their positions: the end of the
 * branch, unless the push that followed has arrived before this one. `followers` are the commits after them.
 */
async function makeRoom(
  tx: Tx,
  { project, host }: Source,
  { repository, after }: Push,
  count: number,
): Promise<{ first: number; followers: string[] }> {
  if (count === 0) return { first: 0, followers: [] };
  const branch = sql`project_id = ${project.id} and host = ${host} and repository = ${repository} and position is not null`;
  const { rows } = await sql<{ end: number; next: number | null }>`
    select
      coalesce((select position from git_changes where ${branch} order by position desc limit 1), 0) + 1 as end,
      (select min(position) from git_changes where ${branch} and pushed_onto = ${after}) as next`.execute(tx);
  const { end, next } = rows[0] ?? { end: 1, next: null };
  if (next === null) return { first: end, followers: [] };
  const moved = await sql<{ ref: string }>`
    update git_changes set position = position + ${count} where ${branch} and position >= ${next}
    returning ref`.execute(tx);
  return { first: next, followers: moved.rows.map(({ ref }) => ref) };
}

/** Returns the ids of the commits by their hashes. */
async function storeCommits(
  tx: Tx,
  { project, host, received_at }: Source,
  push: Push,
  { stored, added, first }: { stored: PushedCommit[]; added: PushedCommit[]; first: number },
): Promise<Map<string, number>> {
  const positions = new Map(added.map(({ hash }, n) => [hash, first + n]));
  const rows = stored.map(({ hash, message, url, author_name, author_email, files, created_at }) => {
    const position = positions.get(hash);
    return {
      ref: hash,
      title: titleOf(message),
      url,
      author_name,
      author_email,
      created_at,
      ...(position === undefined
        ? { files: [] }
        : { files, position, pushed_onto: push.before, pushed_at: received_at }),
    };
  });
  const { rows: ids } = await sql<{ id: number; ref: string }>`
    insert into git_changes as c (project_id, kind, host, repository, ref, head_hash, title, url, author_name, author_email,
      files, position, pushed_onto, pushed_at, created_at)
    select ${project.id}, 'commit', ${host}, ${push.repository}, ref, ref, title, url, author_name, author_email,
      array(select jsonb_array_elements_text(files)), position, pushed_onto, pushed_at, created_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (ref text, title text, url text, author_name text,
      author_email text, files jsonb, position bigint, pushed_onto text, pushed_at timestamptz, created_at timestamptz)
    order by ref
    on conflict (project_id, repository, kind, ref, host) do update set
      files = case when excluded.position is null then c.files else excluded.files end,
      position = coalesce(excluded.position, c.position),
      pushed_onto = coalesce(excluded.pushed_onto, c.pushed_onto),
      pushed_at = coalesce(excluded.pushed_at, c.pushed_at)
    returning id, ref`.execute(tx);
  return new Map(ids.map(({ id, ref }) => [ref, id]));
}

const MAX_TITLE = 255;

/** The first line of a message. */
export function titleOf(message: string): string {
  const line = message.trimStart().split("\n", 1)[0]?.trim() ?? "";
  return line.slice(0, MAX_TITLE).toWellFormed();
}
