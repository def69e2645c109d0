import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { announceDevelopment } from "../../work/issues/announce-development.ts";
import { refreshChecks } from "./apply-check.ts";
import { titleOf } from "./apply-push.ts";
import type { RequestChange, RequestState, Review } from "./hosts/git-event.ts";
import { linkChanges } from "./link-changes.ts";
import { closeNamed, startNamed } from "./move-named.ts";
import { findReferences } from "./references.ts";
import type { Source } from "./source.ts";

/** The columns of a request that deliveries change. */
type Request = {
  title: string;
  url: string;
  author_name: string | null;
  state: RequestState;
  review: "requested" | "approved" | "changes_requested" | null;
  release: string | null;
  head_hash: string;
  merge_hash: string | null;
  is_review_requested: boolean;
  reviews: Record<string, Pick<Review, "state" | "at">>;
  changed_at: string;
};

/**
 * Stores and links a request. One that has been merged into the default branch closes what it names with a keyword. Deliveries may
 * arrive in any order: what an older one says is ignored, except that the request was merged.
 */
export async function applyRequest(tx: Tx, source: Source, change: RequestChange): Promise<void> {
  const { project } = source;
  const before = await lockRequest(tx, source, change);
  const request = await withRelease(tx, source, change.repository, nextState(before, change));
  const id = await storeRequest(tx, source, change, request);
  const hasNewHead = before?.head_hash !== request.head_hash;
  const checkedIds = hasNewHead ? await refreshChecks(tx, project.id, [request.head_hash]) : [];
  const references = findReferences(`${change.title}\n${change.description}`, project.key);
  const { named, linkedIds } = await linkChanges(tx, project.id, [{ change_id: id, references }]);
  if (request.state === "merged" && before?.state !== "merged" && change.isIntoDefaultBranch)
    await closeNamed(tx, project, { named, actorName: "A merged request" });
  else if (
    source.on_open !== null &&
    change.isOpened &&
    request.state !== "merged" &&
    request.state !== "closed"
  )
    await startNamed(tx, project, { named, actorName: "A request" });
  const isChanged = before !== undefined && SHOWN.some((field) => before[field] !== request[field]);
  await announceDevelopment(tx, project.id, [
    ...new Set([...linkedIds, ...checkedIds, ...(isChanged ? [id] : [])]),
  ]);
}

/** The fields that links show. */
const SHOWN = ["title", "url", "author_name", "state", "review", "release"] as const;

async function lockRequest(
  tx: Tx,
  { project, host }: Source,
  { repository, ref }: RequestChange,
): Promise<Request | undefined> {
  const { rows } = await sql<Request>`
    select title, url, author_name, state, review, release, head_hash, merge_hash, is_review_requested, reviews, changed_at
    from git_changes
    where project_id = ${project.id} and repository = ${repository} and kind = 'request' and ref = ${ref} and host = ${host}
    for no key update`.execute(tx);
  return rows[0];
}

function nextState(before: Request | undefined, change: RequestChange): Omit<Request, "release"> {
  const isNews = !before || Date.parse(change.changed_at) >= Date.parse(before.changed_at);
  const isMerged = before?.state === "merged" || change.state === "merged";
  const latest = isNews
    ? {
        title: titleOf(change.title),
        url: change.url,
        author_name: change.author_name ?? before?.author_name ?? null,
        state: change.state,
        head_hash: change.head_hash,
        is_review_requested: change.is_review_requested,
        changed_at: change.changed_at,
      }
    : before;
  const reviews = addReviews(before?.reviews ?? {}, change.reviews);
  return {
    ...latest,
    state: isMerged ? "merged" : latest.state,
    merge_hash: change.merge_hash ?? before?.merge_hash ?? null,
    reviews,
    review: reviewOf(reviews, latest.is_review_requested),
  };
}

function addReviews(known: Request["reviews"], reviews: Review[]): Request["reviews"] {
  const all = { ...known };
  for (const { reviewer, state, at } of reviews) {
    const earlier = all[reviewer];
    if (!earlier || Date.parse(at) >= Date.parse(earlier.at)) all[reviewer] = { state, at };
  }
  return all;
}

function reviewOf(reviews: Request["reviews"], isRequested: boolean): Request["review"] {
  const states = new Set(Object.values(reviews).map(({ state }) => state));
  if (states.has("changes_requested")) return "changes_requested";
  if (states.has("approved")) return "approved";
  return isRequested ? "requested" : null;
}

/** The release of the commit that merged the request, if it was deployed before this delivery arrived. */
async function withRelease(
  tx: Tx,
  { project, host }: Source,
  repository: string,
  request: Omit<Request, "release">,
): Promise<Request> {
  if (request.merge_hash === null) return { ...request, release: null };
  const { rows } = await sql<{ release: string | null }>`
    select release from git_changes
    where project_id = ${project.id} and repository = ${repository} and kind = 'commit' and ref = ${request.merge_hash}
      and host = ${host}`.execute(tx);
  return { ...request, release: rows[0]?.release ?? null };
}

async function storeRequest(
  tx: Tx,
  { project, host }: Source,
  { repository, ref, created_at }: RequestChange,
  request: Request,
): Promise<number> {
  const { reviews, ...columns } = request;
  const values = { ...columns, reviews: sql<string>`${JSON.stringify(reviews)}::jsonb` };
  const row = await tx
    .insertInto("git_changes")
    .values({ project_id: project.id, kind: "request", host, repository, ref, created_at, ...values })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "repository", "kind", "ref", "host"]).doUpdateSet({
        ...values,
        release: sql`coalesce(git_changes.release, excluded.release)`,
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}
