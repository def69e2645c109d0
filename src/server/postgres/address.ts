import { lchown, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Account } from "./unprivileged-account.ts";

/** Where PostgreSQL listens. */
export type Address = {
  settings: Record<string, string>;
  /** The connection string of the database `signalbox` with this password. */
  url: (password: string) => string;
  remove: () => Promise<void>;
};

/** The path of a socket may have at most 107 bytes on Linux and 103 on macOS. */
const MAX_PATH_BYTES = 100;

/**
 * A Unix socket in a directory that only the account and root may enter. PostgreSQL opens it by a path relative to its
 * data directory, so it needs no access to the parent folders and the path may be long; for a long path the client gets
 * a short symbolic link. On Windows, where node-postgres has no Unix sockets, a free port of the loopback interface.
 */
export async function makeAddress(sockets: string, account: Account | undefined): Promise<Address> {
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  if (process.platform === "win32") {
    const port = await freePort();
    const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "" };
    return {
      settings,
      url: (password) => `${userAt(password)}127.0.0.1:${port}/signalbox`,
      remove: async () => {},
    };
  }
  if (account) await lchown(sockets, account.uid, account.gid);
  const settings = { listen_addresses: "", port: "5432", unix_socket_directories: "../socket" };
  return { settings, ...(await reachSockets(sockets)) };
}

/** How to connect to a server that another process runs. On Windows its `postmaster.pid` contains the port. */
export async function findAddress(sockets: string, data: string): Promise<Connection | undefined> {
  if (process.platform !== "win32") return await reachSockets(sockets);
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const port = Number(text.split("\n")[3]);
  if (!port) return undefined;
  return { url: (password) => `${userAt(password)}127.0.0.1:${port}/signalbox`, remove: async () => {} };
}

type Connection = Pick<Address, "url" | "remove">;

async function reachSockets(sockets: string): Promise<Connection> {
  const link =
    Buffer.byteLength(join(sockets, ".s.PGSQL.5432")) > MAX_PATH_BYTES ? await shortLink(sockets) : undefined;
  const host = encodeURIComponent(link ? join(link, "s") : sockets);
  return {
    url: (password) => `${userAt(password)}localhost/signalbox?host=${host}`,
    remove: async () => {
      if (link) await rm(link, { recursive: true, force: true });
    },
  };
}

function userAt(password: string): string {
  return `postgres://signalbox:${password}@`;
}

/** Makes a private directory with a symbolic link `s` to this path. */
async function shortLink(path: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-"));
  await symlink(path, join(directory, "s"));
  return directory;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.on("error", reject).listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
  });
  return await promise;
}
