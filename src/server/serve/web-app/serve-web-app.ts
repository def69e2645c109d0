import { readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { RECENT_PROJECT } from "../../../shared/recent-project.ts";
import { cookieName } from "../../access/sessions.ts";
import { notFound } from "../../answers/errors.ts";
import { readPageHtml } from "./page-html.ts";

/** Where `npm run build` puts the web app. */
export const BUILT = path.join(import.meta.dirname, "../../../../dist/web");

/** The page that the service worker keeps and shows at every address of the app. */
const SHELL = "shell.html";

/**
 * Serves the web app's files, and its page for every other path outside of /api. The content security policy allows no
 * inline styles, and no inline script but the page's own, by its hash. Scripts may still set styles through the DOM.
 */
export async function serveWebApp(
  app: FastifyInstance,
  publicUrl: () => string,
  folder = BUILT,
): Promise<void> {
  let files = builtFiles(folder);
  if (!files.has("index.html")) return;
  const page = path.join(folder, "index.html");
  let pageHtml = readPageHtml(folder);
  let builtAt = await timeOf(page);
  /** Reads the files again after a rebuild: the new page refers to new files. */
  const readAgain = async () => {
    const modifiedAt = await timeOf(page);
    if (modifiedAt === undefined || modifiedAt === builtAt) return;
    files = builtFiles(folder);
    pageHtml = readPageHtml(folder);
    builtAt = modifiedAt;
  };
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // Called only for files that exist, so a 404 is never cached for a year.
    setHeaders: (reply, file) => {
      // File names under assets/ contain a hash of the content.
      const isHashed = file.startsWith(path.join(folder, "assets") + path.sep);
      const cache = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
      void reply.headers({ ...HEADERS, "cache-control": cache });
    },
  });

  // No rate limit: this route does not use the database.
  app.get("/*", { config: { needs: "nothing", limit: "none" } }, async (request, reply) => {
    const name = (request.params as { "*": string })["*"];
    if (name === "api" || name.startsWith("api/")) throw notFound("There is nothing at this address.");
    await readAgain();
    if (name !== "index.html" && files.has(name)) return reply.sendFile(name);
    // Do not answer a request for a missing script or image with the page. The version of a release has dots, too.
    const isFile = path.extname(name) !== "" && !name.startsWith("projects/") && name !== SHELL;
    if (isFile || !acceptsPages(request.headers.accept)) throw notFound("There is nothing at this address.");
    return reply
      .headers({
        "content-security-policy": policyWith(pageHtml.scriptHash),
        "cache-control": "no-cache",
        vary: "accept, cookie",
      })
      .type("text/html")
      .send(
        name === SHELL
          ? pageHtml.shell
          : pageHtml.htmlOf(request.url.slice(1), {
              isSignedIn: cookieName(publicUrl()) in request.cookies,
              recentProject: request.cookies[RECENT_PROJECT],
            }),
      );
  });
}

/** URL paths of the built files. Excludes precompressed variants, which are found by themselves, and the build manifest. */
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

/** Undefined while the file is missing, as during a build. */
const timeOf = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs;

const acceptsPages = (accept = "*/*") => accept.includes("text/html") || accept.includes("*/*");

const policyWith = (script = "") =>
  POLICY.replace("script-src 'self'", `script-src 'self' ${script}`.trimEnd());

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = { "content-security-policy": POLICY };
