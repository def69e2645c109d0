import type { Config } from "../../config/config.ts";
import { attachDatabase, hasDatabase } from "../../db/attach-database.ts";
import { requireSameDatabase } from "../../db/require-same-database.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";
import { openStorage } from "../../files/storage/open-storage.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { checkAddress } from "./check-address.ts";
import { checkContents } from "./check-contents.ts";
import { checkDatabase } from "./check-database.ts";
import { fail, lineOf, ok, warn, type Finding } from "./finding.ts";
import { checkDataDir, checkNode, checkSpace } from "./check-machine.ts";
import { checkMailServer } from "./check-mail-server.ts";
import { checkStorage } from "./check-storage.ts";

/**
 * The command `doctor`: checks everything that the server needs, whether it is running or not, and prints a line for each
 * check. Changes nothing. The exit code is 1 if a check failed.
 */
export async function runDoctor(config: Config): Promise<void> {
  for await (const finding of examine(config)) {
    process.stdout.write(`${lineOf(finding)}\n`);
    if (finding.level === "fail") process.exitCode = 1;
  }
}

async function* examine(config: Config): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield ok("settings", "all valid");
  yield checkAddress(config);
  yield* await checkDataDir(config.dataDir);
  yield* await checkSpace(config.dataDir);
  const storage = await openStorage(config);
  try {
    yield await checkStorage(storage, config);
    yield* withDatabase(config, storage);
  } finally {
    storage.close();
  }
  yield await checkMailServer(config.mail);
}

async function* withDatabase(config: Config, storage: Storage): AsyncGenerator<Finding> {
  if (!hasDatabase(config))
    return yield warn(
      "database",
      `there is none in ${config.dataDir} yet`,
      "Start the server, which creates it.",
    );
  let source: Awaited<ReturnType<typeof attachDatabase>>;
  try {
    source = await attachDatabase(config, makeLogger(config.logLevel, 2));
    await requireSameDatabase(source.url, source.directUrl);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return yield fail("database", error.message, "Fix this, then run doctor again.");
  }
  try {
    const { findings, usable } = await checkDatabase(source.directUrl);
    yield* findings;
    if (usable) yield* await checkContents(source.directUrl, storage);
  } finally {
    await source.stop();
  }
}
