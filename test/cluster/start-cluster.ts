import { connect, type Database } from "../../src/server/db/connect.ts";
import { freePort } from "../../src/server/postgres/address.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { cloneDatabase, emptyDatabase } from "../support/postgres.ts";
import { makeHome, start, waitForLine, type Home, type Program } from "../support/program.ts";
import { openSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import { hasHaproxy, startHaproxy, type Haproxy } from "./haproxy.ts";
import { startS3Store } from "./s3-store.ts";

const SERVERS = 3;

/** Why the cluster cannot be started on this machine. */
export const missing = [...(hasHaproxy ? [] : ["HAProxy"]), ...(hasPgBouncer ? [] : ["PgBouncer"])].join(
  " and ",
);

/** One of the servers. Its process changes with each start. */
export type Node = {
  /** Its own address, without HAProxy. */
  url: string;
  program: Program;
  kill(signal: NodeJS.Signals): void;
  /** Starts it again, optionally another version. Resolves when it accepts requests. */
  start(main?: string): Promise<void>;
};

export type Cluster = {
  /** The address of HAProxy. */
  url: string;
  proxy: Haproxy;
  nodes: [Node, Node, Node];
  installed: Installed;
  /** A connection of the test's own, not through PgBouncer. */
  database: Database;
  databaseUrl: string;
  mails: SmtpSink;
  close(): Promise<void>;
};

/** Three servers with one PostgreSQL behind PgBouncer in transaction mode, one S3 store, and HAProxy in front. */
export async function startCluster(
  settings: Record<string, string> = {},
  /** Runs before the servers start. */
  prepare: (database: Database) => Promise<unknown> = async () => {},
  /** Another version, which creates the tables of its schema. */
  main?: string,
): Promise<Cluster> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).toReversed()) await each();
  };
  try {
    const clone = await (main === undefined ? cloneDatabase() : emptyDatabase());
    closing.push(clone.drop);
    const database = connect(clone.url, () => {});
    closing.push(database.close);
    await prepare(database);
    const bouncer = await startPgBouncer(clone.url, "transaction", SERVERS * 8);
    closing.push(bouncer.close);
    const store = await startS3Store();
    closing.push(store.close);
    const mails = await openSmtpSink();
    closing.push(mails.close);
    const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
    const proxy = await startHaproxy(ports);
    closing.push(proxy.close);
    const all = {
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: clone.url,
      PUBLIC_URL: proxy.url,
      TRUST_PROXY: "127.0.0.1",
      DRAIN_SECONDS: "3",
      SETUP_TOKEN,
      SMTP_URL: smtpUrl(mails),
      MAIL_FROM: "signalbox@example.com",
      LIMIT_API: "1000000",
      LIMIT_SESSION: "1000000",
      LIMIT_INGEST: "1000000",
      ...store.settings,
      ...settings,
    };
    const homes = await Promise.all(ports.map(makeHome));
    closing.push(() => Promise.all(homes.map((home) => home.remove())));
    const nodes = [] as unknown as Cluster["nodes"];
    // One after the other: on a busy machine, three that start at once wait too long for the database.
    for (const [n, port] of ports.entries()) nodes.push(await startNode(homes[n] as Home, port, all, main));
    await proxy.waitForServers(SERVERS);
    const installed = await install(proxy.url);
    return { url: proxy.url, proxy, nodes, installed, database, databaseUrl: clone.url, mails, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startNode(
  home: Home,
  port: number,
  settings: Record<string, string>,
  first?: string,
): Promise<Node> {
  const begin = async (main?: string) => {
    const program = start(home, ["serve"], { ...settings, HOST: "127.0.0.1", PORT: String(port) }, main);
    await waitForLine(program, /Signalbox is ready/);
    return program;
  };
  const node: Node = {
    url: `http://127.0.0.1:${port}`,
    program: await begin(first),
    kill: (signal) => node.program.kill(signal),
    start: async (main) => {
      node.program = await begin(main);
    },
  };
  return node;
}

function smtpUrl({ settings: { smtp } }: SmtpSink): string {
  return `smtp://${smtp.host}:${smtp.port}`;
}
