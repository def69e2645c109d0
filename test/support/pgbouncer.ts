import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../src/server/postgres/address.ts";
import { startDatabaseProxy } from "./tcp-proxy.ts";

export const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

/** Starts PgBouncer in front of the database. */
export async function startPgBouncer(
  databaseUrl: string,
  poolMode: "session" | "transaction" | "statement",
  poolSize = 20,
) {
  // PgBouncer does not run as root, and other accounts cannot enter the folder of the database's socket.
  const proxy = await startDatabaseProxy(databaseUrl);
  const { username, password, pathname } = new URL(proxy.url);
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-pgbouncer-"));
  await chmod(folder, 0o755);
  const file = path.join(folder, "pgbouncer.ini");
  const port = await freePort();
  const login = `user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${proxy.port} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
`,
  );
  const asOther = process.getuid?.() === 0 ? ["--user=nobody"] : [];
  const child = spawn("pgbouncer", [...asOther, file], { stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.setEncoding("utf8");
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      output += text;
      if (output.includes("process up")) resolve();
    });
    child.once("exit", () => reject(new Error(`PgBouncer did not start:\n${output}`)));
  });
  return {
    url: `postgres://anybody@127.0.0.1:${port}${pathname}`,
    close: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
