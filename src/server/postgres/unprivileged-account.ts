import { lstat, readFile } from "node:fs/promises";

/** An account of the operating system. */
export type Account = { name: string; uid: number; gid: number };

/**
 * The account that PostgreSQL runs as; undefined is that of this process. PostgreSQL does not run as root, so root uses
 * the owner of an existing database directory, or else `postgres` or `nobody`. The account must have an entry in
 * /etc/passwd, because PostgreSQL looks up its name.
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
    "PostgreSQL does not run as root, and there is no account postgres or nobody. Start as an ordinary user, or set DATABASE_URL.",
  );
}

function parsePasswd(text: string): Account[] {
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
