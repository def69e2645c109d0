import type { SearchHits, SearchQuery } from "../../shared/search.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";
import { findCandidates, knownWords } from "./find-candidates.ts";
import { bestCandidates } from "./rank-candidates.ts";
import { similarErrorGroups } from "./find-error-groups.ts";
import { excerptOf, excerptOfMarkdown } from "./excerpt.ts";
import { errorGroupFilter, isFilteredOut } from "./hit-filters.ts";
import { readHits } from "./read-hits.ts";
import { readableProjects } from "./readable-projects.ts";
import { readTerms } from "./terms.ts";

/**
 * Finds items that match the query and that the caller may read: exact keys first, then key prefixes, titles and texts, with
 * the newest first among equal matches. If nothing matches, searches for misspelled class names. Any query is valid. A project
 * that the caller cannot access has no hits.
 */
export async function search(db: Db, caller: Caller, query: SearchQuery): Promise<SearchHits> {
  const terms = readTerms(query.query);
  const [readable, rareWords] = await Promise.all([
    readableProjects(db, caller, query.project_id),
    knownWords(db, terms),
  ]);
  // A project token may read error groups and reports, but not the comments on them.
  const kinds = caller.kind === "project" ? query.kind.filter((kind) => kind !== "comment") : query.kind;
  const matches = await findCandidates(db, terms, {
    readable,
    kinds,
    filters: query,
    knownWords: rareWords,
  });
  const isGroupWanted = query.kind.includes("error_group") && !isFilteredOut("error_group", query);
  const candidates =
    matches.length === 0 && isGroupWanted
      ? await similarErrorGroups(db, terms, readable.error_group, errorGroupFilter(query))
      : matches;
  const rows = await readHits(db, bestCandidates(candidates, terms, query.limit));
  const data = await Promise.all(
    rows.map(async ({ text, ...hit }) => ({
      ...hit,
      excerpt:
        hit.kind === "error_group"
          ? excerptOf(text, terms.words)
          : await excerptOfMarkdown(text, terms.words),
    })),
  );
  return { data, meta: { next_cursor: null } };
}
