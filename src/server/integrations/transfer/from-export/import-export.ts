import { sql } from "kysely";
import { HttpError } from "../../../answers/errors.ts";
import type { Db, Tx } from "../../../db/connect.ts";
import { ImportError, type LeftOut } from "../import/item.ts";
import { readPeople, type Addresses } from "../import/people.ts";
import type { ImportCounts } from "../import/run-import.ts";
import { keyOfGroup } from "./group-key.ts";
import { readArchive, type ExportMember, type FileMember } from "./read-archive.ts";
import { readBatches, type Line } from "./read-lines.ts";
import { findKnown, makeSourceIds, noteEnds, originOf, remember } from "./source-ids.ts";
import { findKnownComments, writeComments } from "./write-comments.ts";
import {
  eventIdsOf,
  indexGroups,
  reserveEventIds,
  writeErrorGroups,
  writeEvents,
} from "./write-error-groups.ts";
import { noteFiles, writeFile, type FileTarget } from "./write-files.ts";
import { writeIssues } from "./write-issues.ts";
import { writeLinks } from "./write-links.ts";
import { isNamedKind, replaceLanes, writeNames } from "./write-names.ts";
import { writeReports } from "./write-reports.ts";

type Options = Omit<FileTarget, "projectId"> & {
  file: string;
  project: { id: number; key: string };
  /** Addresses of people by name or username, because exports have none. */
  addresses: Addresses;
  /** The author of comments by people without an account. */
  fallbackAuthorId: number;
  retentionDays: number;
  isDryRun: boolean;
  onLeftOut: (row: LeftOut) => void;
  onProgress: (counts: Readonly<ImportCounts>) => void;
};

export type ExportImported = { counts: ImportCounts; unmatched: ReadonlyMap<string, number> };

type Work = Options & {
  db: Db;
  origin: string;
  sourceProjectId: number;
  /** The project has no issues but those of this export. */
  keepsPlaces: boolean;
  counts: ImportCounts;
  leftOutGroups: Set<number>;
  leaveOut: (where: string, reason: string) => void;
};

/**
 * Imports an export into a project, in batches of up to 100 objects, each in one transaction. A repeated import continues where an
 * interrupted one stopped. Nobody is notified of anything. Throws ImportError if the archive cannot be read; batches before stay.
 */
export function importExport(pool: Db, options: Options): Promise<ExportImported> {
  // The ids are in temporary tables, which belong to a connection.
  return pool.connection().execute(async (db) => {
    const people = await readPeople(db, options.project.id, options.addresses);
    const counts = { issues: 0, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 0 };
    try {
      await readArchive(options.file, options.signal, async (manifest, members) => {
        const origin = originOf(manifest);
        const projectId = options.project.id;
        await makeSourceIds(db, projectId, origin);
        const work: Work = {
          ...options,
          db,
          origin,
          sourceProjectId: manifest.project.id,
          keepsPlaces: await noteEnds(db, projectId),
          counts,
          leftOutGroups: new Set(),
          leaveOut: (where, reason) => {
            counts.left_out++;
            options.onLeftOut({ item: "left_out", where, reason });
          },
        };
        await importMembers(work, members, people);
      });
    } catch (error) {
      throw explain(error);
    } finally {
      await sql`discard temp`.execute(db).catch(() => {});
    }
    return { counts, unmatched: people.unmatched };
  });
}

async function importMembers(
  work: Work,
  members: AsyncIterable<ExportMember>,
  people: Awaited<ReturnType<typeof readPeople>>,
): Promise<void> {
  for await (const member of members) {
    if ("fileOf" in member) await importFile(work, member);
    else
      for await (const lines of readBatches(member.stream, `${member.kind}.jsonl`)) {
        work.signal.throwIfAborted();
        if (member.kind === "people") await notePeople(work.db, people, lines);
        else await importBatch(work, member.kind, lines);
        work.onProgress(work.counts);
      }
    if ("kind" in member && member.kind === "comments" && !work.isDryRun)
      await inTransaction(work, (tx) => writeLinks(tx, work.project.id));
  }
}

async function notePeople(db: Db, people: Awaited<ReturnType<typeof readPeople>>, lines: Line[]) {
  const rows = lines.map(({ id, username, first_name, last_name }) => {
    const name = [first_name, last_name].filter((part) => typeof part === "string" && part !== "").join(" ");
    const person = { name, login: typeof username === "string" ? username : null, email: null };
    people.count(person);
    return { source_id: id, user_id: people.userOf(person), name: people.nameOf(person) };
  });
  await sql`
    insert into source_people select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (source_id bigint, user_id bigint, name text) on conflict do nothing`.execute(db);
}

/** Decides what is new, in the same way for a dry run, and stores it. */
async function importBatch(work: Work, kind: string, batch: Line[]): Promise<void> {
  const { db, project, origin, counts, isDryRun } = work;
  const known =
    kind === "comments"
      ? await findKnownComments(db, project.id, origin, JSON.stringify(batch))
      : kind === "issues" || kind === "reports" || kind === "error_groups"
        ? await findKnown(
            db,
            kind,
            batch.map(({ id }) => id),
          )
        : new Set<number>();
  counts.already_there += known.size;
  const lines = batch.filter((line) => !known.has(line.id) && isWanted(work, kind, line));
  if (lines.length === 0) return;
  if (!isDryRun) await inTransaction(work, (tx) => store(work, tx, kind, lines));
  if (kind === "issues" || kind === "reports" || kind === "error_groups" || kind === "comments")
    counts[kind] += lines.length;
}

const DAY_MS = 86_400_000;

function isWanted({ retentionDays, leftOutGroups, leaveOut }: Work, kind: string, line: Line): boolean {
  if (
    kind === "error_groups" &&
    Date.parse(String(line["last_seen_at"])) < Date.now() - retentionDays * DAY_MS
  ) {
    leftOutGroups.add(line.id);
    leaveOut(`error_groups ${line.id}`, "it was last seen before the retention window");
    return false;
  }
  const isOfLeftOut = leftOutGroups.has(Number(line["error_group_id"] ?? line["group_id"]));
  if (kind === "comments" && isOfLeftOut) leaveOut(`comments ${line.id}`, "its error group is left out");
  return !(isOfLeftOut && (kind === "comments" || kind === "events"));
}

async function store(work: Work, tx: Tx, kind: string, batch: Line[]): Promise<void> {
  const { project, origin, sourceProjectId, fallbackAuthorId, keepsPlaces } = work;
  const projectId = project.id;
  const lines = JSON.stringify(batch);
  if (isNamedKind(kind)) {
    await writeNames(tx, projectId, kind, lines);
    if (kind === "lanes" && keepsPlaces) await replaceLanes(tx, projectId, lines);
  } else if (kind === "issues") {
    await writeIssues(tx, { projectId, keepsPlaces }, lines);
    const names = { author: "created_by", assignee: "assignee_id" };
    await remember(tx, { projectId, origin }, { kind, lines, names });
  } else if (kind === "error_groups") {
    await reserveEventIds(tx, eventIdsOf(batch));
    const keyed = JSON.stringify(
      batch.map((line) => ({
        ...line,
        key: `\\x${keyOfGroup(line, { sourceId: sourceProjectId, projectId }).toString("hex")}`,
      })),
    );
    await writeErrorGroups(tx, projectId, keyed);
    await remember(tx, { projectId, origin }, { kind, lines, names: { assignee: "assignee_id" } });
    await indexGroups(
      tx,
      batch.map(({ id }) => id),
    );
  } else if (kind === "events") {
    await writeEvents(tx, projectId, lines);
    await indexGroups(tx, [...new Set(batch.map((line) => Number(line["group_id"])))]);
  } else if (kind === "reports") {
    await writeReports(tx, projectId, lines);
    const names = { author: "created_by", voices: "other_voices" };
    await remember(tx, { projectId, origin }, { kind, lines, names });
  } else if (kind === "comments") await writeComments(tx, { projectId, origin, fallbackAuthorId }, lines);
  else if (kind === "attachments") await noteFiles(tx, lines);
}

async function importFile(work: Work, { fileOf: id, size, stream }: FileMember) {
  const { db, project, isDryRun, leaveOut } = work;
  if (isDryRun) return;
  const reason = await writeFile(db, { ...work, projectId: project.id }, { id, size, stream });
  if (reason !== null && reason !== "known") leaveOut(`files/${id}`, reason);
}

const inTransaction = ({ db }: Work, run: (tx: Tx) => Promise<void>) => db.transaction().execute(run);

/** Classes of PostgreSQL's errors about values: data exceptions, violated constraints, and exceeded limits, such as the size of an index entry. */
const INVALID_VALUE = /^(?:2[23]|54)/;

/** Values that the database refuses are at fault, and not the program. */
function explain(error: unknown): unknown {
  const code = String((Object(error) as { code?: unknown }).code);
  if (error instanceof HttpError || (error instanceof Error && INVALID_VALUE.test(code)))
    return new ImportError(`The export has a value that cannot be stored: ${error.message}.`);
  return error;
}
