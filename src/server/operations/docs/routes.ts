import path from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyReply } from "fastify";
import type { Api } from "../../access/context.ts";
import { notFound } from "../../answers/errors.ts";
import { answersWith, noBody } from "../../answers/operation.ts";

const RENDERER = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const OWN = path.join(import.meta.dirname, "page");

/** By the name in the address; nothing else of the renderer's folder is served. */
const FILES: Record<string, string> = {
  "swagger-ui.css": RENDERER,
  "swagger-ui-bundle.js": RENDERER,
  "favicon-32x32.png": RENDERER,
  "start.js": OWN,
  "page.css": OWN,
};

/** The reference, drawn from openapi.json in the browser; within a scope of its own (platform.md, about). */
export async function docsRoutes(api: Api) {
  await api.register(fastifyStatic, { root: OWN, serve: false, cacheControl: false });
  // No limit: nothing here asks the database.
  const config = { needs: "nothing", limit: "none" } as const;

  api.get(
    "/api/docs",
    {
      config,
      schema: {
        operationId: "readReference",
        summary: "Read the reference of the API as a page",
        response: { 200: answersWith("text/html") },
      },
    },
    (_request, reply) => send(reply, "index.html", OWN),
  );

  api.get<{ Params: { file: string } }>(
    "/api/docs/:file",
    {
      config,
      schema: {
        operationId: "readReferenceFile",
        summary: "Read a file of the reference's page",
        response: { 200: answersWith("*/*"), 304: noBody },
      },
    },
    (request, reply) => {
      const { file } = request.params;
      const folder = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
      if (folder === undefined) throw notFound("There is nothing at this address.");
      return send(reply, file, folder);
    },
  );
}

function send(reply: FastifyReply, file: string, folder: string) {
  // Asked again each time, and answered with 304 as long as it is the same.
  return reply
    .headers({ "content-security-policy": POLICY, "cache-control": "no-cache" })
    .sendFile(file, folder);
}

/** Pictures of the renderer are in its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
