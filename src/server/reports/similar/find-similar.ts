import { sql } from "kysely";
import {
  MAX_SIMILAR,
  MAX_SIMILAR_TEXT,
  type SimilarItems,
  type SimilarKind,
  type SimilarQuery,
} from "../../../shared/similar.ts";
import type { Db } from "../../db/connect.ts";
import { indexNewMessages } from "../../errors/groups/message-index.ts";
import { findCandidates } from "./find-candidates.ts";
import { readItems } from "./read-items.ts";
import { readStatistics } from "./read-statistics.ts";
import { rarestTerms, similarity, TermWeights } from "./term-weights.ts";
import { writeChangedTerms } from "./write-terms.ts";

/** Items below this score have hardly more in common than any two texts of one language. */
const MIN_SCORE = 0.3;

/** Items of each kind that are read by their rarest terms, so that common terms are not more expensive. */
const MAX_ITEMS = 3_000;
const MAX_TERMS = 40;

/**
 * The items of these kinds in the project that are most similar to the texts. The terms are compared here and not in SQL: a statement
 * that did it all took longer to plan than to execute.
 */
export async function findSimilar(
  db: Db,
  projectId: number,
  kinds: SimilarKind[],
  { title = "", description = "", except_report_id }: SimilarQuery,
): Promise<SimilarItems> {
  const content = description.slice(0, MAX_SIMILAR_TEXT).toWellFormed();
  if (title.trim() === "" && content.trim() === "") return { data: [] };
  const [firstLine = ""] = content.trim().split("\n", 1);
  const [terms, statistics] = await Promise.all([
    readTerms(db, projectId, { title: title.trim() || firstLine, content }),
    readStatistics(db),
    writePendingTerms(db, projectId, kinds),
  ]);
  const scored = await Promise.all(
    kinds.map(async (kind) => {
      const { itemCount, common } = statistics[kind];
      const weights = new TermWeights(common);
      const weighted = weights.weigh(terms);
      const rarest = rarestTerms(weighted, { itemCount, maxTerms: MAX_TERMS, maxItems: MAX_ITEMS });
      const wanted = new Map(weighted.map(({ term, weight }) => [term, weight]));
      const candidates = await findCandidates(db, kind, rarest, except_report_id);
      return candidates.map(({ id, terms }) => ({ kind, id, score: similarity(wanted, terms, weights) }));
    }),
  );
  const best = scored
    .flat()
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || b.kind.localeCompare(a.kind) || b.id - a.id)
    .slice(0, MAX_SIMILAR);
  return { data: await readItems(db, best) };
}

/** What was written a moment ago is found, too. */
async function writePendingTerms(db: Db, projectId: number, kinds: SimilarKind[]): Promise<void> {
  for (const kind of kinds)
    if (kind === "error_group") await indexNewMessages(db, projectId);
    else await writeChangedTerms(db, kind);
}

async function readTerms(
  db: Db,
  projectId: number,
  { title, content }: { title: string; content: string },
): Promise<number[]> {
  const { rows } = await sql<{ terms: number[] }>`
    select similar_terms(${projectId}, ${title}, ${content}) as terms`.execute(db);
  return rows[0]?.terms ?? [];
}
