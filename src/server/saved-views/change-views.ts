import { sql } from "kysely";
import {
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  type OwnViewBody,
  type SavedView,
  type ViewChanges,
} from "../../shared/saved-views.ts";
import type { Caller } from "../access/caller.ts";

import { invalid, refused } from "../answers/errors.ts";
import type { Db, Tx } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { announce } from "../record/live-changes.ts";
import { readableProjects, type ReadableProjects } from "../search/readable-projects.ts";
import { isOf, noSuchView, type Owner, readView } from "./list-views.ts";

const KINDS: Record<Exclude<OwnViewBody["page"], "my-issues" | "all-errors">, keyof ReadableProjects> = {
  search: "project",
  issues: "issue",
  board: "issue",
  issue: "issue",
  errors: "error_group",
  triage: "report",
  epics: "epic",
  epic: "epic",
};

/** 422 on ids of items that the caller cannot read. An issue or epic that is already a favorite keeps its position. */
export async function createOwnView(db: Db, caller: Caller, body: OwnViewBody): Promise<SavedView> {
  if ("project_id" in body && body.project_id !== undefined) {
    const readable = await readableProjects(db, caller, body.project_id);
    if (!readable[KINDS[body.page]].includes(body.project_id))
      throw invalid({ project_id: ["is not a project in which you can read this"] });
  }
  const owner = { user_id: caller.user_id };
  return change(db, caller, owner, async (tx) => {
    if (body.page === "issue") await requireChild(tx, "issue", body.project_id, body.issue_id);
    if (body.page === "epic") await requireChild(tx, "epic", body.project_id, body.epic_id);
    return (await findFavorite(tx, caller.user_id, body)) ?? insert(tx, owner, body);
  });
}

export function createSharedView(
  db: Db,
  caller: Caller,
  projectId: number,
  body: Pick<SavedView, "page" | "name" | "search">,
): Promise<SavedView> {
  const owner = { project_id: projectId };
  return change(db, caller, owner, (tx) => insert(tx, owner, { ...body, ...owner }));
}

/** 404 if the owner has no such view; 422 on the name of a favorite, or if `before_id` is not a view of the same list. */
export function updateView(
  db: Db,
  caller: Caller,
  owner: Owner,
  { viewId, changes }: { viewId: number; changes: ViewChanges },
): Promise<SavedView> {
  const { name, search, before_id } = changes;
  return change(db, caller, owner, async (tx) => {
    const { page } = await readView(tx, caller, owner, viewId);
    if (name !== undefined && (page === "issue" || page === "epic"))
      throw invalid({ name: [`cannot be changed: a favorite has the title of its ${page}`] });
    await sql`
      update saved_views set name = coalesce(${name ?? null}, name), search = coalesce(${search ?? null}, search)
      where id = ${viewId}`.execute(tx);
    if (before_id !== undefined) await move(tx, owner, viewId, before_id);
    return viewId;
  });
}

/** Deletes a view, even if the caller can no longer read what it shows. 404 if the owner has no such view. */
export async function deleteView(db: Db, owner: Owner, viewId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockList(tx, owner);
    const { rows } =
      await sql`delete from saved_views v where v.id = ${viewId} and ${isOf(owner)} returning id`.execute(tx);
    if (rows.length === 0) throw noSuchView();
  });
}

/** Runs a change that returns the id of the view, and reads the view. */
async function change(
  db: Db,
  caller: Caller,
  owner: Owner,
  run: (tx: Tx) => Promise<number>,
): Promise<SavedView> {
  return db.transaction().execute(async (tx) => {
    await lockList(tx, owner);
    return readView(tx, caller, owner, await run(tx));
  });
}

/** Serializes changes of the list, and announces the change to the pages that show it. */
async function lockList(tx: Tx, owner: Owner): Promise<void> {
  if ("project_id" in owner) {
    await lockProject(tx, owner.project_id);
    await announce(tx, [{ kind: "project", project_id: owner.project_id, id: owner.project_id }]);
  } else {
    await sql`select from users where id = ${owner.user_id} for no key update`.execute(tx);
    await announce(tx, [{ kind: "profile", project_id: null, id: owner.user_id, user_id: owner.user_id }]);
  }
}

/** Adds a view to the end of the list. 422 if the list is full. */
async function insert(
  tx: Tx,
  owner: Owner,
  body: Partial<Pick<SavedView, "name" | "search" | "issue_id" | "epic_id">> & {
    page: string;
    project_id?: number | null | undefined;
  },
): Promise<number> {
  const most = "user_id" in owner ? MAX_OWN_VIEWS : MAX_SHARED_VIEWS;
  const { project_id = null, name = null, search = "", issue_id = null, epic_id = null } = body;
  const { rows } = await sql<{ id: number }>`
    insert into saved_views (user_id, project_id, page, name, search, issue_id, epic_id, position)
    select ${"user_id" in owner ? owner.user_id : null}::bigint, ${project_id}::bigint, ${body.page}::text, ${name}::text,
      ${search}::text, ${issue_id}::bigint, ${epic_id}::bigint, coalesce(max(v.position), 0) + 1
    from saved_views v where ${isOf(owner)} having count(*) < ${most}
    returning id`.execute(tx);
  const [row] = rows;
  if (!row) throw refused(`There can be at most ${most} views. Delete one first.`);
  return row.id;
}

async function findFavorite(tx: Tx, userId: number, body: OwnViewBody): Promise<number | undefined> {
  if (body.page !== "issue" && body.page !== "epic") return undefined;
  const row = await tx
    .selectFrom("saved_views")
    .select("id")
    .where("user_id", "=", userId)
    .where(
      body.page === "issue" ? "issue_id" : "epic_id",
      "=",
      body.page === "issue" ? body.issue_id : body.epic_id,
    )
    .executeTakeFirst();
  return row?.id;
}

async function requireChild(tx: Tx, kind: "issue" | "epic", projectId: number, id: number): Promise<void> {
  const row = await tx
    .selectFrom(`${kind}s`)
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw invalid({ [`${kind}_id`]: [`is not an ${kind} of this project`] });
}

/** Renumbers the whole list, with the view before the other one or at the end. */
async function move(tx: Tx, owner: Owner, viewId: number, beforeId: number | null): Promise<void> {
  if (beforeId !== null) {
    const { rows } = await sql`select from saved_views v where v.id = ${beforeId} and ${isOf(owner)}`.execute(
      tx,
    );
    if (rows.length === 0) throw invalid({ before_id: ["is not a view of the same list"] });
    if (beforeId === viewId) return;
  }
  await sql`
    with others as materialized (
      select v.id, row_number() over (order by v.position, v.id) as place
      from saved_views v where ${isOf(owner)} and v.id <> ${viewId}
    ), target as materialized (
      select coalesce((select place from others where id = ${beforeId}), (select count(*) + 1 from others)) as place
    ), places as (
      select o.id, o.place + (o.place >= t.place)::int as place from others o, target t
      union all select ${viewId}, t.place from target t
    )
    update saved_views v set position = p.place from places p where p.id = v.id`.execute(tx);
}
