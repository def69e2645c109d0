import { randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lchown, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import type { Binaries } from "./binaries.ts";
import { requireSpace } from "./require-space.ts";
import { runTool } from "./tool.ts";
import type { Account } from "./unprivileged-account.ts";

/** A directory of databases, with the programs and the account to run them. */
export type Cluster = { data: string; binaries: Binaries; account: Account | undefined };

/**
 * The path of the data directory that PostgreSQL gets. It is started in that directory; on Linux this path does not go
 * through the parent folders, which the account may not be able to enter.
 */
export const workingDirectory = process.platform === "linux" ? "/proc/self/cwd" : ".";

const access = `# Written by Signalbox at initialization. All connections need the password.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
`;

/**
 * Creates the databases on first use, and changes their owner to the account if another one owns them. No server may be
 * running on them. Returns the password, which survives restarts; if its file was lost, a new one is set. Throws if
 * the data belongs to another major version of PostgreSQL.
 */
export async function prepareCluster(
  cluster: Cluster,
  passwordFile: string,
  durable: boolean,
): Promise<string> {
  const { data, binaries, account } = cluster;
  const kept = await readPassword(passwordFile);
  const password = kept ?? (await makePassword(passwordFile));
  const version = await readVersion(data);
  if (version === undefined) {
    await initialize(cluster, password, durable);
    return password;
  }
  if (version !== binaries.major) {
    throw new Error(
      `The database in ${data} was made by PostgreSQL ${version}, but this is PostgreSQL ${binaries.major}. Start the version of Signalbox that made it, take a backup, and restore it into a new DATA_DIR.`,
    );
  }
  if (account && (await lstat(data)).uid !== account.uid) await changeOwner(data, account);
  if (kept === undefined) await singleUser(cluster, [setPassword(password)]);
  return password;
}

/** With all tables it takes 70 MB; the rest is for the first data. */
const NEW_DATABASE_MB = 100;

/** Works in a directory beside it, renamed when complete and synced, so that an interrupted start can be repeated. */
async function initialize(
  { data, binaries, account }: Cluster,
  password: string,
  durable: boolean,
): Promise<void> {
  const parent = dirname(data);
  await requireSpace(parent, NEW_DATABASE_MB);
  const prefix = `${basename(data)}.partial-`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix))
      await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const partial = join(parent, prefix + randomUUID());
  await mkdir(partial, { mode: 0o700 });
  if (account) await lchown(partial, account.uid, account.gid);
  const initdb = join(binaries.bin, "initdb");
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const rest = ["--username=signalbox", "--auth=trust", "--data-checksums", "--no-instructions", "--no-sync"];
  await runTool(initdb, ["-D", workingDirectory, ...locale, ...rest], { account, cwd: partial });
  await singleUser({ data: partial, binaries, account }, [
    "create database signalbox",
    setPassword(password),
  ]);
  await overwrite(join(partial, "pg_hba.conf"), access);
  if (durable) await runTool(initdb, ["-D", workingDirectory, "--sync-only"], { account, cwd: partial });
  await rename(partial, data);
  await syncDirectory(parent);
}

/** Executes statements without a running server. Each must be one line. */
async function singleUser({ data, binaries, account }: Cluster, statements: string[]): Promise<void> {
  const settings = [
    "log_line_prefix=",
    "log_min_messages=fatal",
    "log_min_error_statement=panic",
    "exit_on_error=on",
  ];
  // template1 cannot be dropped.
  const parameters = [
    "--single",
    "-D",
    workingDirectory,
    ...settings.flatMap((setting) => ["-c", setting]),
    "template1",
  ];
  await runTool(
    join(binaries.bin, "postgres"),
    parameters,
    { account, cwd: data },
    `${statements.join("\n")}\n`,
  );
}

/** The password is base64url, so it needs no quoting. */
function setPassword(password: string): string {
  return `alter role signalbox password '${password}'`;
}

async function readPassword(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim() || undefined;
}

async function makePassword(file: string): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  const handle = await open(partial, "wx", 0o600);
  try {
    await handle.writeFile(`${password}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
  return password;
}

/** The major version that made the databases; undefined if there are none. */
async function readVersion(data: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(data, "PG_VERSION"), "utf8");
    return /^\d+/.exec(text)?.[0] ?? "unknown";
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    if ((await readdir(data).catch(() => [])).length === 0) return undefined;
    throw new Error(
      `${data} is not empty but contains no database. Move it away, or restore the missing files.`,
      {
        cause: error,
      },
    );
  }
}

/** Does not follow symbolic links: root writes this file, and the account could replace it with a link. */
async function overwrite(path: string, text: string): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0));
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function changeOwner(data: string, account: Account): Promise<void> {
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await lchown(data, account.uid, account.gid);
}
