import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Embedded {
  startEmbedded: (options: {
    dataDir: string;
    log: () => void;
    settings: Record<string, string>;
  }) => Promise<{ url: string; stop: () => Promise<void> }>;
}

/** The server's embedded PostgreSQL. It is outside of this package, so it is imported by URL. */
const address = new URL("../../../src/server/postgres/embedded.ts", import.meta.url).href;

export async function startPostgres() {
  const { startEmbedded } = (await import(address)) as Embedded;
  const dataDir = mkdtempSync(join(tmpdir(), "signalbox-reporter-"));
  const { url, stop } = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: "off" } });
  return {
    url,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
