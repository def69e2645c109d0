import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../answers/errors.ts";
import { keepVersion, type Download, type Version } from "./keep-version.ts";

/** Where `npm run build` puts the packages. */
const DIST = path.join(import.meta.dirname, "../../../../dist");

/** `folder` is part of the addresses: /reporter/reporter.tgz. */
type Package = Download & { folder: string };

export const REPORTER: Package = { folder: "reporter", name: "reporter", endings: ["tgz", "js", "mjs"] };
export const COMMAND_LINE: Package = { folder: "cli", name: "sbx", endings: ["tgz"] };

export const builtFolder = ({ folder }: Package) => path.join(DIST, folder);

const SCRIPT = "text/javascript; charset=utf-8";
const TYPES: Record<string, string> = { ".tgz": "application/gzip", ".js": SCRIPT, ".mjs": SCRIPT };

/**
 * Serves a package, so that `npm install` and script tags need no registry: `<name>.*` is the version that belongs to this
 * server, `<name>-<version>.*` never changes, and `<name>.json` lists the checksums.
 */
export async function serveDownloads(
  app: FastifyInstance,
  download: Package,
  dataDir: string,
  built = builtFolder(download),
): Promise<void> {
  const { folder, name, endings } = download;
  const kept = path.join(dataDir, folder);
  const offered = new RegExp(`^${name}(-\\d+\\.\\d+\\.\\d+)?\\.(${endings.join("|")})$`);
  let version: Version | undefined;
  app.addHook("onReady", async () => {
    version = await keepVersion(download, built, kept).catch((error: unknown) => {
      app.log.warn({ err: error }, `the files of ${name} could not be copied into the data directory`);
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
  app.get(`/${folder}/:file`, { config: { needs: "nothing", limit: "none" } }, async (request, reply) => {
    const { file } = request.params as { file: string };
    if (file === `${name}.json` && version !== undefined)
      return reply.headers({ ...FOR_ANY_PAGE, "cache-control": CURRENT }).send(version);
    const [whole, pinned] = offered.exec(file) ?? [];
    if (whole === undefined) throw notFound("There is nothing at this address.");
    return reply.sendFile(whole, pinned === undefined ? built : kept);
  });
}

const FOR_ANY_PAGE = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

/** Five minutes: how long pages that load the current version may use the one before it. */
const CURRENT = "public, max-age=300";
const PINNED = "public, max-age=31536000, immutable";
