import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { MAX_ATTACHMENT_BYTES } from "../../../../shared/attachments.ts";
import type { Db } from "../../../db/connect.ts";
import type { FileExaminer } from "../../../files/file-examiner.ts";
import type { Examined } from "../../../files/worker-messages.ts";
import { cleanFileName } from "../../../files/file-name.ts";
import { CONVERTED_TYPE } from "../../../files/kinds.ts";
import { putFiles } from "../../../files/storage/put-files.ts";
import { newKey, type Storage } from "../../../files/storage/storage.ts";

type Attached = {
  filename: string;
  size: number;
  sha256: string;
  issue_id: number | null;
  epic_id: number | null;
  error_group_id: number | null;
  report_id: number | null;
  comment_id: number | null;
  user_id: number | null;
  created_at: string;
  sent_with_report: boolean;
  is_known: boolean;
};

export type FileTarget = {
  projectId: number;
  storage: Storage;
  examiner: FileExaminer;
  /** An empty folder on the disk of the storage. */
  folder: string;
  signal: AbortSignal;
};

/** Notes the attachments that the files after them belong to. */
export async function noteFiles(db: Db, lines: string): Promise<void> {
  await sql`
    insert into source_files select (l ->> 'id')::bigint, l from jsonb_array_elements(${lines}::jsonb) l`.execute(
    db,
  );
}

/**
 * Stores an attachment after the same checks as for an upload. Returns "known" if it is already here, and otherwise the reason
 * why it is left out, or null if it is stored.
 */
export async function writeFile(
  db: Db,
  { projectId, storage, examiner, folder, signal }: FileTarget,
  { id, size, stream }: { id: number; size: number; stream: Readable },
): Promise<string | null> {
  const attached = await findAttached(db, projectId, id);
  if (!attached) return "nothing here has this file";
  if (attached.is_known) return "known";
  if (size > MAX_ATTACHMENT_BYTES) return "it is larger than an upload may be";
  // The server deletes temporary folders that have not changed for an hour.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, String(id));
  const sha256 = await save(stream, file);
  if (size !== attached.size || sha256 !== attached.sha256) return "it is damaged";
  const filename = cleanFileName(attached.filename);
  const target = `${file}.webp`;
  const uploader = { project: String(projectId), credential: "import", signal };
  const [verdict] = (await examiner.examine([{ file, filename, target }], uploader)) as [Examined];
  if ("refused" in verdict) return verdict.refused;
  const { mime_type, converted } = verdict;
  // Exported images are already converted. Converting them once more would only make them worse.
  if (converted && !filename.endsWith(".webp")) return "it is an image that no server has converted";
  const storage_key = newKey();
  if (converted) await rename(file, target);
  await putFiles(storage, [{ storage_key, path: converted ? target : file }], () =>
    db
      .insertInto("attachments")
      .values({
        project_id: projectId,
        filename,
        mime_type: converted ? CONVERTED_TYPE : mime_type,
        size,
        sha256: Buffer.from(sha256, "hex"),
        storage_key,
        thumbnail: converted ? Buffer.from(converted.thumbnail, "base64") : null,
        issue_id: attached.issue_id,
        epic_id: attached.epic_id,
        error_group_id: attached.error_group_id,
        report_id: attached.report_id,
        comment_id: attached.comment_id,
        user_id: attached.user_id,
        created_at: attached.created_at,
        sent_with_report: attached.sent_with_report,
      })
      .execute(),
  );
  return null;
}

/** The attachment of a file; undefined if the export does not say so, or if what it belongs to is not here. */
async function findAttached(db: Db, projectId: number, id: number): Promise<Attached | undefined> {
  const { rows } = await sql<Attached>`
    select f.*, exists (
      select from attachments a where a.project_id = ${projectId} and encode(a.sha256, 'hex') = f.sha256
        and a.created_at = f.created_at
        and (a.issue_id, a.epic_id, a.error_group_id, a.report_id, a.comment_id)
          is not distinct from (f.issue_id, f.epic_id, f.error_group_id, f.report_id, f.comment_id)) as is_known
    from (
      select left(s.filename, 255) as filename, s.size, encode(s.sha256, 'hex') as sha256,
        pg_temp.target('issues', s.issue_id) as issue_id, pg_temp.target('epics', s.epic_id) as epic_id,
        pg_temp.target('error_groups', s.error_group_id) as error_group_id, pg_temp.target('reports', s.report_id) as report_id,
        pg_temp.target('comments', s.comment_id) as comment_id, pg_temp.person(s.user_id) as user_id, s.created_at,
        coalesce(s.sent_with_report, false) as sent_with_report, s.comment_id is not null as is_of_comment
      from source_files f cross join lateral jsonb_populate_record(null::attachments, f.line) s where f.source_id = ${id}
    ) f
    where num_nonnulls(f.issue_id, f.epic_id, f.error_group_id, f.report_id) = 1
      and (not f.is_of_comment or f.comment_id is not null)`.execute(db);
  return rows[0];
}

async function save(stream: Readable, file: string): Promise<string> {
  const hash = createHash("sha256");
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(stream, measure, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  return hash.digest("hex");
}
