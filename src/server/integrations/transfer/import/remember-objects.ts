import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";
import type { ImportedPerson, ImportItem } from "./item.ts";
import type { RowOf } from "./plan-batch.ts";
import type { ImportTarget } from "./import-target.ts";

/** An object that was imported, and the row that it has become. */
export type ImportedRow = { item: ImportItem; sourceId: string; target: RowOf };

/** Records where objects came from, so that a repeated import recognizes them. Returns the ids of the records, in order. */
export async function rememberObjects(
  tx: Tx,
  { project, kind, people }: ImportTarget,
  objects: ImportedRow[],
): Promise<number[]> {
  if (objects.length === 0) return [];
  const nameWithoutUser = (person: ImportedPerson | null) =>
    people.userOf(person) === null ? people.nameOf(person) : null;
  const rows = objects.map(({ item, sourceId, target }) => ({
    source_id: sourceId,
    issue_id: target.issue_id,
    report_id: target.report_id,
    error_group_id: target.error_group_id,
    url: webAddress(item.ref.url),
    author_name: nameWithoutUser(item.author),
    assignee_name: item.item === "report" ? null : nameWithoutUser(item.assignee),
    other_voices: item.item === "report" ? otherVoices(item.voices) : 0,
  }));
  const { rows: inserted } = await sql<{ id: number; source_id: string }>`
    insert into imported_objects (project_id, kind, source_id, issue_id, report_id, error_group_id, url, author_name,
      assignee_name, other_voices)
    select ${project.id}, ${kind}, source_id, issue_id, report_id, error_group_id, url, author_name, assignee_name, other_voices
    from json_to_recordset(${JSON.stringify(rows)}) as r (source_id text, issue_id bigint, report_id bigint,
      error_group_id bigint, url text, author_name text, assignee_name text, other_voices integer)
    returning id, source_id`.execute(tx);
  const ids = new Map(inserted.map(({ id, source_id }) => [source_id, id]));
  return objects.map(({ sourceId }) => ids.get(sourceId) as number);
}

const MAX_ADDRESS = 2_048;

/** Other schemes could run a script when the link is opened. */
function webAddress(url: string | null): string | null {
  if (url === null || url.length > MAX_ADDRESS || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

const MAX_VOICES = 1_000_000_000;

const otherVoices = (voices: number) =>
  Number.isFinite(voices) ? Math.min(MAX_VOICES, Math.max(0, Math.trunc(voices) - 1)) : 0;
