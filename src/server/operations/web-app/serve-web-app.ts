import { readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../answers/errors.ts";

/** Where `npm run build` puts the web app. */
export const BUILT = path.join(import.meta.dirname, "../../../../dist/web");

/**
 * The web app's files, and its one page for every other address that is not the API's. Nothing inline runs; the style
 * attribute is set by scripts only, which the policy allows.
 */
export async function serveWebApp(app: FastifyInstance, folder = BUILT): Promise<void> {
  let files = builtFiles(folder);
  if (!files.has("index.html")) return;
  const page = path.join(folder, "index.html");
  let builtAt = await timeOf(page);
  /** Beside the page that is there now: built anew, it names new files. */
  const current = async () => {
    const now = await timeOf(page);
    if (now !== undefined && now !== builtAt) {
      files = builtFiles(folder);
      builtAt = now;
    }
    return files;
  };
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // Only of a file that is there: nobody keeps for a year that one was missing.
    setHeaders: (reply, file) => {
      // Names under assets/ carry a hash of their content.
      const isNamedByContent = file.startsWith(path.join(folder, "assets") + path.sep);
      const cache = isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache";
      void reply.headers({ "content-security-policy": POLICY, "cache-control": cache });
    },
  });

  // No limit: nothing here asks the database.
  app.get("/*", { config: { needs: "nothing", limit: "none" } }, async (request, reply) => {
    const name = (request.params as { "*": string })["*"];
    if (name === "api" || name.startsWith("api/")) throw notFound("There is nothing at this address.");
    if ((await current()).has(name)) return reply.sendFile(name);
    // A page of the app, not a missing script or picture.
    if (path.extname(name) !== "" || !acceptsPages(request.headers.accept))
      throw notFound("There is nothing at this address.");
    return reply.sendFile("index.html");
  });
}

/** By the names in the address bar; what was compressed ahead is found by itself, the manifest is nobody's. */
function builtFiles(folder: string): Set<string> {
  try {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"),
      );
    return new Set(names.filter((name) => !name.endsWith(".br") && !name.startsWith(".")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Set();
    throw error;
  }
}

/** undefined while it is being built. */
const timeOf = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs;

const acceptsPages = (accept = "*/*") => accept.includes("text/html") || accept.includes("*/*");

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
