import { statfs } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { openPool } from "../../db/connect.ts";
import { readMigrations } from "../../db/migrate.ts";

const outcome = z.enum(["ok", "failed", "unknown"]);

/** `unknown`: it could not be looked at, since the database does not answer. */
const checks = z.strictObject({
  database: outcome,
  migrations: outcome,
  disk: outcome,
  draining: z.boolean(),
});

export const readyAnswer = z.strictObject({ status: z.literal("ready"), checks });
export const notReadyAnswer = z.strictObject({ message: z.string(), checks });

export type Checks = z.infer<typeof checks>;

const LEAST_BYTES = 200 * 1_048_576;
const LEAST_PART = 0.02;

/** Anybody may ask, as often as they like: what was found is told again for so long. */
const KEPT_MS = 1_000;

type Options = {
  /** Of the database. */
  url: string;
  dataDir: string;
  isDraining: () => boolean;
  onError: (error: unknown) => void;
};

export type Readiness = { check(): Promise<Checks>; close(): Promise<void> };

/**
 * Asks whether the server can do its work: database, schema, disk, and that it is not about to stop. One look at a time,
 * by a connection of its own: neither do those who ask take a place from requests, nor do busy ones make it look away.
 */
export function makeReadiness({ url, dataDir, isDraining, onError }: Options): Readiness {
  // A connection that was lost is noticed by the next look.
  const pool = openPool(url, () => {}, {
    max: 1,
    statement_timeout: 5_000,
    application_name: "signalbox ready",
  });
  const newest = readMigrations().then((steps) => Math.max(...steps.map((step) => step.version)));
  newest.catch(onError);
  let migrated = false;

  const database = async () => {
    try {
      if (migrated) await pool.query("select 1");
      else {
        const { rows } = await pool.query<{ version: number }>(
          "select max(version) as version from schema_migrations",
        );
        migrated = rows[0]?.version === (await newest);
      }
      return { database: "ok", migrations: migrated ? "ok" : "failed" } as const;
    } catch (error) {
      onError(error);
      return { database: "failed", migrations: migrated ? "ok" : "unknown" } as const;
    }
  };

  let until = -Infinity;
  const look = async () => {
    const [told, disk] = await Promise.all([database(), checkDisk(dataDir, onError)]);
    until = performance.now() + KEPT_MS;
    return { ...told, disk };
  };
  let found: ReturnType<typeof look> | undefined;
  return {
    check: async () => {
      if (found === undefined || performance.now() >= until) {
        until = Infinity;
        found = look();
      }
      const checks = await found;
      return { ...checks, draining: isDraining() };
    },
    close: () => pool.end(),
  };
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

/** Of the folder that is going to hold it, when there is none yet. */
async function spaceOf(folder: string): Promise<Space> {
  try {
    return await statfs(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === folder) throw error;
    return spaceOf(parent);
  }
}

/** Less than 200 MB is left, or less than 2 %. */
export function isNearlyFull({ bsize, bavail, blocks }: Space): boolean {
  return bavail * bsize < LEAST_BYTES || bavail < blocks * LEAST_PART;
}

/** The first thing that is wrong, in words; undefined when the server is ready. */
export function whyNotReady({ database, migrations, disk, draining }: Checks): string | undefined {
  if (draining) return "The server is shutting down.";
  if (database !== "ok") return "The database does not answer.";
  if (migrations !== "ok") return "The database has the schema of another version.";
  // What cannot be measured is told, and is no reason to be taken out of service.
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
