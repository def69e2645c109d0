import { StartError } from "../../config/start-error.ts";
import { lockFile } from "../../postgres/data-dir-lock.ts";
import { finish, hasLeftovers, removeLeftovers, rollBack } from "./kept-data.ts";
import { lockUpgrade, readJournal, writeJournal, type Journal } from "./journal.ts";
import { databaseLock } from "./running-server.ts";
import { packagedProgram, type Program } from "./program.ts";

/** How often the new version may start without listening before the server itself goes back to the old one. */
const MAX_STARTS = 1;

/**
 * Call before a server starts. Completes an upgrade whose command was killed, or rolls it back if the new version has started before
 * without ever listening. Does nothing while the command is running, which then decides.
 */
export async function resumeUpgrade(dataDir: string): Promise<void> {
  const program = await packagedProgram();
  if (!program) return;
  const unfinished = await readJournal(dataDir);
  if (!unfinished && !hasLeftovers(dataDir, program.file)) return;
  const lock = await lockUpgrade(dataDir);
  if (!lock) return;
  try {
    if (unfinished) await resume(dataDir, program, unfinished);
    else await removeLeftovers(dataDir, program.file);
  } finally {
    lock.release();
  }
}

async function resume(dataDir: string, program: Program, journal: Journal): Promise<void> {
  const { step, to, starts } = journal;
  if (step === "preparing" || step === "listening") return finish(dataDir, journal);
  const isNew = program.name === to.name;
  // The new version may still run, started by a supervisor.
  const server = lockFile(databaseLock(dataDir));
  if (!server) return;
  try {
    if (step !== "rolling-back" && isNew && starts < MAX_STARTS)
      return await writeJournal(dataDir, { ...journal, step: "starting", starts: starts + 1 });
    await rollBack(dataDir, journal);
  } finally {
    server.release();
  }
  if (isNew)
    throw new StartError(
      `The upgrade to ${to.version} failed and was rolled back to ${journal.from.version}. Start ${journal.file} again.`,
    );
}

/** Call when the server accepts requests. From then on, an interrupted upgrade is not rolled back. */
export async function confirmUpgrade(dataDir: string): Promise<void> {
  const program = await packagedProgram();
  const unfinished = program && (await readJournal(dataDir));
  if (unfinished?.step === "starting" && unfinished.to.name === program?.name)
    await writeJournal(dataDir, { ...unfinished, step: "listening" });
}
