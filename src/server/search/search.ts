import type { SearchHits, SearchQuery } from "../../shared/search.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";
import { findCandidates } from "./candidates.ts";
import { closest } from "./closeness.ts";
import { alikeGroups } from "./error-groups.ts";
import { excerptOf } from "./excerpt.ts";
import { readHits } from "./hits.ts";
import { readableProjects } from "./readable-projects.ts";
import { readTerms } from "./terms.ts";

/**
 * What the caller may read and the query finds (platform.md): the issue or project of that key first, then keys and
 * titles, then texts, the newest first among equals. A misspelt class name is looked for when nothing else is found.
 * Never fails for what is asked; a project the caller cannot access gives nothing.
 */
export async function search(db: Db, caller: Caller, query: SearchQuery): Promise<SearchHits> {
  const terms = readTerms(query.query);
  const readable = await readableProjects(db, caller, query.project_id);
  const found = await findCandidates(db, terms, readable, query.kind);
  const isGroupWanted = query.kind.includes("error_group");
  const candidates =
    found.length === 0 && isGroupWanted ? await alikeGroups(db, terms, readable.error_group) : found;
  const rows = await readHits(db, closest(candidates, terms, query.limit));
  const data = rows.map(({ text, ...hit }) => ({ ...hit, excerpt: excerptOf(text, terms.words) }));
  return { data, meta: { next_cursor: null } };
}
