import type { Config } from "../../config/config.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { readProjectRules } from "../../ingest/project-rules/project-rules.ts";
import { compareWithSentry } from "../../integrations/transfer/compare/compare-with-sentry.ts";
import { hasDifferences } from "../../integrations/transfer/compare/comparison.ts";
import { ImportError } from "../../integrations/transfer/import-error.ts";
import { findProject } from "../../people/projects/find-project.ts";
import { describeComparison } from "./describe-comparison.ts";

type CompareArguments = {
  kind: string;
  url: string;
  project: string;
  days: string | undefined;
  isJson: boolean;
};

const DIFFERENT = 3;
const DEFAULT_DAYS = "7";
/** Counts of days are kept for 90. */
const MAX_DAYS = 90;

/**
 * `compare`: prints what differs between the project and one of another server. Can run while the server is running. Exit code 0:
 * nothing differs; 3: something does; 1: they could not be compared.
 */
export async function runCompare(config: Config, args: CompareArguments): Promise<void> {
  const url = readUrl(args);
  const days = readDays(args.days ?? DEFAULT_DAYS);
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.directUrl);
    const { db, close } = connect(source.directUrl, (error) => log.warn({ err: error }));
    try {
      const project = await findProject(db, args.project);
      if (!project) throw new StartError(`There is no project ${args.project}.`);
      const comparison = await compareWithSentry(db, {
        projectId: project.id,
        url,
        token: process.env["IMPORT_TOKEN"] ?? null,
        days,
        privacyRules: (await readProjectRules(db, project.id)).privacyRules,
        signal: new AbortController().signal,
        onProgress: (groups) => process.stderr.write(`${groups.toLocaleString("en")} read\n`),
      });
      const text = args.isJson ? JSON.stringify(comparison, null, 2) : describeComparison(comparison);
      process.stdout.write(`${text}\n`);
      process.exitCode = hasDifferences(comparison) ? DIFFERENT : 0;
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof ImportError ? new StartError(error.message, error) : error;
  } finally {
    await source.stop();
  }
}

function readUrl({ kind, url }: CompareArguments): URL {
  if (kind !== "sentry") throw new StartError(`There is no kind ${kind}. The kind is sentry.`);
  if (!URL.canParse(url)) throw new StartError(`${url} is not a valid address.`);
  return new URL(url);
}

function readDays(text: string): number {
  const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) throw new StartError(`--days takes a number from 1 to ${MAX_DAYS}.`);
  return days;
}
