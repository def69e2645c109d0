import { lstat, readFile } from "node:fs/promises";

/** An account of the operating system, as child processes take it. */
export type Account = { name: string; uid: number; gid: number };

/**
 * The account PostgreSQL runs as: `undefined`, meaning our own, unless we are root, whom PostgreSQL refuses. Then the
 * owner of an existing database directory, so that a change of accounts does not lock us out, else `postgres` or
 * `nobody`. The account must have an entry in the password file: PostgreSQL looks its name up.
 */
export async function accountFor(directory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile("/etc/passwd", "utf8"));
  const owner = await lstat(directory).then(
    (stats) => stats.uid,
    () => 0,
  );
  const account =
    accounts.find(({ uid }) => uid !== 0 && uid === owner) ??
    accounts.find(({ name }) => name === "postgres") ??
    accounts.find(({ name }) => name === "nobody");
  if (account) return account;
  throw new Error(
    "PostgreSQL does not run as root, and there is neither an account postgres nor nobody: start as an ordinary user, or set DATABASE_URL.",
  );
}

function parsePasswd(text: string): Account[] {
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
