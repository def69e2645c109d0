import pg from "pg";
import { FILE_KEY, readTables, tablesWithFiles } from "../backup/catalog.ts";
import { connectWithoutTimeouts } from "../../db/connect-without-timeouts.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";
import { checkBackup } from "./check-backup.ts";
import { checkFileContents } from "./check-file-contents.ts";
import { checkJobs } from "./check-jobs.ts";

/** The row of a younger file may not have been committed yet. */
const MIN_AGE_MS = 3_600_000;

/** Failed emails, failing webhooks, failed deliveries of Git hosts, failing background jobs, the age of the last backup, and files that are missing or damaged. */
export async function checkContents(url: string, storage: Storage): Promise<Finding[]> {
  const client = await connectWithoutTimeouts(url, "signalbox doctor");
  try {
    return [
      await checkMails(client),
      await checkWebhooks(client),
      await checkGitDeliveries(client),
      ...(await checkJobs(client)),
      await checkBackup(client),
      ...(await checkFiles(client, storage)),
    ];
  } finally {
    await client.end();
  }
}

async function checkMails(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query(
    `select count(*)::int as failed, (array_agg(last_error order by id desc))[1] as last
    from mails where state = 'failed' and created_at > now() - interval '7 days'`,
  );
  const { failed, last } = rows[0];
  if (failed === 0) return ok("mails", "none failed in the last 7 days");
  return warn(
    "mails",
    `${failed} failed in the last 7 days, most recently: ${last}`,
    "Administrators see all of them, with their errors, in the workspace's settings.",
  );
}

async function checkWebhooks(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query(
    `select count(*)::int as failing from webhooks w
    left join projects p on p.id = w.project_id
    where p.deleted_at is null and (w.disabled_reason is not null or w.active and w.failing_since is not null)`,
  );
  const { failing } = rows[0];
  if (failing === 0) return ok("webhooks", "none is failing");
  return warn(
    "webhooks",
    failing === 1
      ? "1 is failing or was turned off for it"
      : `${failing} are failing or were turned off for it`,
    "Managers see them, with each request and response, under Integrations in the settings.",
  );
}

async function checkGitDeliveries(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query(
    `select count(*)::int as failed, (array_agg(d.error order by d.id desc))[1] as last
    from git_deliveries d join git_connections c on c.id = d.connection_id
    join projects p on p.id = c.project_id and p.deleted_at is null
    where d.error is not null and d.received_at > now() - interval '7 days'`,
  );
  const { failed, last } = rows[0];
  if (failed === 0) return ok("git", "all deliveries of the last 7 days were processed");
  return warn(
    "git",
    `${failed} ${failed === 1 ? "delivery" : "deliveries"} of the last 7 days failed, most recently: ${last}`,
    "What they contain is in the table git_deliveries for 30 days. Please report the error.",
  );
}

async function checkFiles(client: pg.Client, storage: Storage): Promise<Finding[]> {
  const withRow = await readKeys(client);
  const rows = withRow.size;
  let orphans = 0;
  try {
    for await (const { key, storedAt } of storage.list())
      if (!withRow.delete(key) && storedAt.getTime() < Date.now() - MIN_AGE_MS) orphans++;
  } catch (error) {
    return [fail("files", `cannot be listed: ${(error as Error).message}`, "Fix the storage first.")];
  }
  // Some rows may have been deleted since they were read.
  const now = withRow.size > 0 ? await readKeys(client) : withRow;
  const missing = [...withRow].filter((key) => now.has(key)).length;
  const findings: Finding[] = [];
  if (missing > 0)
    findings.push(
      fail(
        "files",
        `${missing} of ${rows} attachments, pictures and source maps have no file`,
        "Check that DATA_DIR or STORAGE_URL is the right one, or restore the files from a backup.",
      ),
    );
  if (orphans > 0)
    findings.push(
      warn(
        "files",
        `${orphans} belong to no attachment, picture or source map`,
        "The nightly job removes them, unless there are suspiciously many.",
      ),
    );
  if (findings.length === 0)
    findings.push(ok("files", `${rows} attachments, pictures and source maps, all with their files`));
  return [...findings, await checkFileContents(client, storage)];
}

async function readKeys(client: pg.Client): Promise<Set<string>> {
  const tables = tablesWithFiles(await readTables(client));
  const each = tables.map((table) => `select ${FILE_KEY} as key from ${pg.escapeIdentifier(table.name)}`);
  const { rows } = await client.query<{ key: string }>(each.join(" union all "));
  return new Set(rows.map((row) => row.key));
}
