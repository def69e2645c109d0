import { sql, type RawBuilder } from "kysely";
import type { SimilarKind } from "../../../shared/similar.ts";
import type { Db } from "../../db/connect.ts";

/** Texts that one transaction reads. */
const BATCH = 500;

/** Writes the terms of texts that have changed, and of those that are older than the triggers that note changes. */
export async function writeTerms(db: Db, signal?: AbortSignal): Promise<void> {
  for (const kind of ["report", "issue"] as const)
    while ((await writeChangedTerms(db, kind)) === BATCH) signal?.throwIfAborted();
  await backfillTerms(db, signal);
}

/**
 * Writes the terms of the next reports or issues that have changed. Returns how many there were. Several processes can do this: each
 * takes others.
 */
export async function writeChangedTerms(db: Db, kind: "report" | "issue"): Promise<number> {
  const id = kind === "report" ? "report_id" : "issue_id";
  const { insert } = SOURCES[kind];
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from changed_texts where kind = ${kind} and id in (
        select id from changed_texts where kind = ${kind} order by id limit ${BATCH} for update skip locked)
      returning id
    ), written as (
      ${insert} join taken on taken.id = t.id
      -- A text that is being deleted keeps its row until the end of this statement.
      for key share of t
      on conflict (${sql.ref(id)}) do update set terms = excluded.terms returning 1
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}

/** Does nothing once all old texts have been read. */
async function backfillTerms(db: Db, signal?: AbortSignal): Promise<void> {
  const kinds = await db.selectFrom("terms_backfills").select("kind").orderBy("kind").execute();
  for (const { kind } of kinds) while (await backfillBatch(db, kind as SimilarKind)) signal?.throwIfAborted();
}

/** Returns whether there may be more. */
async function backfillBatch(db: Db, kind: SimilarKind): Promise<boolean> {
  const { texts, id, insert } = SOURCES[kind];
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ after_id: number; until_id: number | null }>`
      select after_id, (
        select max(id) from (
          select ${sql.ref(id)} as id from ${sql.table(texts)} where ${sql.ref(id)} > b.after_id and ${sql.ref(id)} <= b.last_id
          order by 1 limit ${BATCH}
        ) batch) as until_id
      from terms_backfills b where kind = ${kind} for update skip locked`.execute(tx);
    const [range] = rows;
    if (!range) return false;
    const { after_id, until_id } = range;
    if (until_id === null) {
      await tx.deleteFrom("terms_backfills").where("kind", "=", kind).execute();
      return false;
    }
    await sql`
      ${insert} where t.${sql.ref(id)} > ${after_id} and t.${sql.ref(id)} <= ${until_id}
      -- A text that is being deleted keeps its row until the end of this transaction.
      for key share of t on conflict do nothing`.execute(tx);
    await tx.updateTable("terms_backfills").set({ after_id: until_id }).where("kind", "=", kind).execute();
    return true;
  });
}

type Source = { texts: string; id: string; insert: RawBuilder<unknown> };

const SOURCES: Record<SimilarKind, Source> = {
  report: {
    texts: "reports",
    id: "id",
    insert: sql`
      insert into report_terms select t.id, t.project_id, similar_terms(t.project_id, t.title, t.description) from reports t`,
  },
  issue: {
    texts: "issues",
    id: "id",
    insert: sql`
      insert into issue_terms select t.id, t.project_id, similar_terms(t.project_id, t.title, coalesce(t.description, '')) from issues t`,
  },
  error_group: {
    texts: "error_group_messages",
    id: "group_id",
    insert: sql`
      insert into error_group_terms
      select g.id, g.project_id, similar_terms(g.project_id, g.exception_class || ' ' || t.message, '')
      from error_group_messages t join error_groups g on g.id = t.group_id`,
  },
};
