import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../answers/errors.ts";
import { keepVersion, type Version } from "./keep-version.ts";

/** Where `npm run build` puts the reporter's downloads. */
export const BUILT = path.join(import.meta.dirname, "../../../../dist/reporter");

const SCRIPT = "text/javascript; charset=utf-8";
const TYPES: Record<string, string> = { ".tgz": "application/gzip", ".js": SCRIPT, ".mjs": SCRIPT };

/**
 * Serves the reporter below /reporter/, so that `npm install` and script tags need no registry: `reporter.*` is the
 * version that belongs to this server, `reporter-<version>.*` never changes, and `reporter.json` lists the checksums.
 */
export async function serveReporter(app: FastifyInstance, dataDir: string, built = BUILT): Promise<void> {
  const kept = path.join(dataDir, "reporter");
  let version: Version | undefined;
  app.addHook("onReady", async () => {
    version = await keepVersion(built, kept).catch((error: unknown) => {
      app.log.warn({ err: error }, "the reporter's files could not be copied into the data directory");
      return undefined;
    });
  });
  await app.register(fastifyStatic, {
    root: import.meta.dirname,
    serve: false,
    cacheControl: false,
    // Called only for files that exist, so a 404 is never cached.
    setHeaders: (reply, file) => {
      const cache = file.startsWith(kept + path.sep) ? PINNED : CURRENT;
      void reply.headers({
        ...FOR_ANY_PAGE,
        "cache-control": cache,
        "content-type": TYPES[path.extname(file)],
      });
    },
  });

  // No rate limit: this route does not use the database.
  app.get("/reporter/:file", { config: { needs: "nothing", limit: "none" } }, async (request, reply) => {
    const { file } = request.params as { file: string };
    if (file === "reporter.json" && version !== undefined)
      return reply.headers({ ...FOR_ANY_PAGE, "cache-control": CURRENT }).send(version);
    const [name, pinned] = /^reporter(-\d+\.\d+\.\d+)?\.(tgz|js|mjs)$/.exec(file) ?? [];
    if (name === undefined) throw notFound("There is nothing at this address.");
    return reply.sendFile(name, pinned === undefined ? built : kept);
  });
}

const FOR_ANY_PAGE = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

/** Five minutes: how long pages that load the current version may use the one before it. */
const CURRENT = "public, max-age=300";
const PINNED = "public, max-age=31536000, immutable";
