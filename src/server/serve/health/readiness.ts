import { statfs } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { listMigrations } from "../../db/migrate.ts";
import { Probe } from "../../db/probe.ts";

const outcome = z.enum(["ok", "failed", "unknown"]);

/** `unknown`: it could not be checked, for example because the database does not respond. */
const checks = z.strictObject({
  database: outcome,
  migrations: outcome,
  disk: outcome,
  draining: z.boolean(),
});

export const readyAnswer = z.strictObject({ status: z.literal("ready"), checks });
export const notReadyAnswer = z.strictObject({ message: z.string(), checks });

export type Checks = z.infer<typeof checks>;

const MIN_FREE_BYTES = 200 * 1_048_576;
const MIN_FREE_SHARE = 0.02;

/** How long a result is reused, because anybody may send any number of requests. */
const CACHE_MS = 1_000;

type Options = {
  /** URL of the database. */
  url: string;
  /** How long the database may take to answer. */
  answerMs: number;
  dataDir: string;
  isDraining: () => boolean;
  onError: (error: unknown) => void;
  /** The folder of the migrations; by default, that of this server. */
  migrations?: string;
};

export type Readiness = { check(): Promise<Checks>; close(): Promise<void> };

/**
 * Checks whether the server can work: database, schema and disk, and whether it is stopping. At most one check runs at a
 * time, on its own connection, so that callers take no connection from other requests and do not wait for theirs.
 */
export function makeReadiness(options: Options): Readiness {
  const { url, answerMs, dataDir, isDraining, onError, migrations } = options;
  const probe = new Probe(url, "signalbox ready", answerMs);
  let migrated = false;

  const database = async () => {
    try {
      const [state] = await probe.query<State>(migrated ? STATE : `${STATE} ${VERSION}`, [], refuseReadOnly);
      return { database: "ok", migrations: await schema(state?.version) } as const;
    } catch (error) {
      onError(error);
      return { database: "failed", migrations: migrated ? "ok" : "unknown" } as const;
    }
  };

  const schema = async (version: number | undefined) => {
    try {
      migrated ||= version === (await listMigrations(migrations)).at(-1)?.version;
      return migrated ? "ok" : "failed";
    } catch (error) {
      onError(error);
      return "unknown";
    }
  };

  let until = -Infinity;
  const examine = async () => {
    const [databaseChecks, disk] = await Promise.all([database(), checkDisk(dataDir, onError)]);
    until = performance.now() + CACHE_MS;
    return { ...databaseChecks, disk };
  };
  let examination: ReturnType<typeof examine> | undefined;
  return {
    check: async () => {
      if (examination === undefined || performance.now() >= until) {
        until = Infinity;
        examination = examine();
      }
      const checks = await examination;
      return { ...checks, draining: isDraining() };
    },
    close: () => probe.close(),
  };
}

type State = { is_read_only: boolean; version?: number };

const STATE = "select current_setting('transaction_read_only')::bool as is_read_only";
const VERSION = ", max(version) as version from schema_migrations";

function refuseReadOnly([state]: State[]) {
  if (state?.is_read_only === true) throw new Error("The database is read-only.");
}

async function checkDisk(folder: string, onError: (error: unknown) => void) {
  try {
    return isNearlyFull(await spaceOf(folder)) ? "failed" : "ok";
  } catch (error) {
    onError(error);
    return "unknown";
  }
}

type Space = { bsize: number; bavail: number; blocks: number };

/** The space of the folder, or of its closest existing parent. */
async function spaceOf(folder: string): Promise<Space> {
  try {
    return await statfs(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === folder) throw error;
    return spaceOf(parent);
  }
}

/** Less than 200 MB or less than 2 % is free. */
export function isNearlyFull({ bsize, bavail, blocks }: Space): boolean {
  return bavail * bsize < MIN_FREE_BYTES || bavail < blocks * MIN_FREE_SHARE;
}

/** The message of the first failed check; undefined if the server is ready. */
export function whyNotReady({ database, migrations, disk, draining }: Checks): string | undefined {
  if (draining) return "The server is shutting down.";
  if (database !== "ok") return "The database does not answer, or is read-only.";
  if (migrations === "failed") return "The database has the schema of another version.";
  if (migrations === "unknown") return "The server cannot read its own migrations.";
  // A disk that cannot be measured is no reason to take the server out of service.
  return disk === "failed" ? "The disk is nearly full." : undefined;
}

const okChecks = { database: "ok", migrations: "ok", disk: "ok", draining: false } as const;

/** Examples for the API reference. */
export const readinessExamples = {
  Ready: { schema: readyAnswer, example: { status: "ready", checks: okChecks } },
  NotReady: {
    schema: notReadyAnswer,
    example: { message: "The disk is nearly full.", checks: { ...okChecks, disk: "failed" } },
  },
};
