import { readdirSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFound } from "../http/errors.ts";

/** Where `npm run build` puts the web app. */
export const BUILT = path.join(import.meta.dirname, "../../../dist/web");

/**
 * The web app's files, and its one page for every other address that is not the API's. Nothing inline runs; the style
 * attribute is set by scripts only, which the policy allows.
 */
export async function serveWebApp(app: FastifyInstance, folder = BUILT): Promise<void> {
  const files = builtFiles(folder);
  if (!files.has("index.html")) return;
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });

  // No limit: nothing here asks the database.
  app.get("/*", { config: { needs: "nothing", limit: "none" } }, (request, reply) => {
    const name = (request.params as { "*": string })["*"];
    if (name === "api" || name.startsWith("api/")) throw notFound("There is nothing at this address.");
    if (files.has(name)) return sendFile(reply, name);
    // A page of the app, not a missing script or picture.
    if (path.extname(name) !== "" || !acceptsPages(request.headers.accept))
      throw notFound("There is nothing at this address.");
    return sendFile(reply, "index.html");
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

function sendFile(reply: FastifyReply, name: string) {
  // Names under assets/ carry a hash of their content.
  const cache = name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  return reply.headers({ "content-security-policy": POLICY, "cache-control": cache }).sendFile(name);
}

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
