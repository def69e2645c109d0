import { sql } from "kysely";
import { z } from "zod";
import { releaseName } from "../../../shared/error-groups.ts";
import { optional, timestamp } from "../../../shared/text.ts";
import type { Db } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import { clientProjectRefs } from "./assemble.ts";
import type { ClientProject } from "./client-projects.ts";

const commitId = z.string().max(255);

/** Clients send more fields, which say nothing that is kept. */
export const releaseChanges = z.object({
  projects: optional(clientProjectRefs),
  dateReleased: optional(timestamp),
  refs: optional(z.array(z.looseObject({ commit: commitId }))),
  /** Newest first. */
  commits: optional(z.array(z.looseObject({ id: commitId }))),
});

export const newRelease = releaseChanges.extend({ version: releaseName });

type Changes = z.output<typeof releaseChanges>;

/** A release as Sentry's clients read it. */
export type ClientRelease = {
  version: string;
  dateCreated: string;
  dateReleased: string | null;
  projects: { id: number; slug: string; name: string }[];
};

/**
 * Creates the release in the projects that do not have it, and keeps its newest commit and the time when it was finished. None of this
 * records a deploy or marks the release as seen.
 */
export async function putRelease(
  db: Db,
  projects: ClientProject[],
  version: string,
  { dateReleased, refs, commits }: Changes,
): Promise<{ release: ClientRelease; isNew: boolean }> {
  const commit = refs?.[0]?.commit ?? commits?.[0]?.id;
  const rows = await db.transaction().execute(async (tx) => {
    const put = await sql<Row>`
      insert into releases as r (project_id, version_hash, version, commit, released_at)
      select id, sha256(convert_to(${version}, 'UTF8')), ${version}, ${commit ?? null}, ${dateReleased ?? null}::timestamptz
      from unnest(${projects.map(({ id }) => id)}::bigint[]) p (id) order by id
      on conflict (project_id, version_hash) do update set
        commit = coalesce(excluded.commit, r.commit), released_at = coalesce(excluded.released_at, r.released_at)
      returning id, project_id, (xmax = 0) as is_new, created_at, released_at`.execute(tx);
    await announce(
      tx,
      put.rows.map(({ id, project_id }) => ({ kind: "release", id, project_id })),
    );
    return put.rows;
  });
  const [first] = rows;
  return {
    release: {
      version,
      dateCreated: first?.created_at ?? "",
      dateReleased: first?.released_at ?? null,
      projects: projects.map(({ id, key }) => ({ id, slug: key, name: key })),
    },
    isNew: rows.some(({ is_new }) => is_new),
  };
}

type Row = {
  id: number;
  project_id: number;
  is_new: boolean;
  created_at: string;
  released_at: string | null;
};

export type PreviousRelease = { version: string; dateCreated: string; lastCommit: { id: string } };

/** The newest release before this one whose commit is known. */
export async function previousRelease(
  db: Db,
  projects: ClientProject[],
  version: string,
): Promise<PreviousRelease | undefined> {
  const { rows } = await sql<{ version: string; created_at: string; commit: string }>`
    select r.version, r.created_at, r.commit from releases r
    where r.project_id = any(${projects.map(({ id }) => id)}::bigint[]) and r.commit is not null and r.version <> ${version}
      and r.created_at < coalesce((
        select max(o.created_at) from releases o where o.project_id = r.project_id and o.version = ${version}), 'infinity')
    order by r.created_at desc, r.id desc limit 1`.execute(db);
  const [found] = rows;
  return found && { version: found.version, dateCreated: found.created_at, lastCommit: { id: found.commit } };
}
