import path from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyReply } from "fastify";
import type { Api } from "../../access/context.ts";
import { notFound } from "../../answers/errors.ts";
import { answersWith, noBody } from "../../answers/operation.ts";

const RENDERER = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const PAGE = path.join(import.meta.dirname, "page");

/** The folder of each file that is served. Nothing else in the renderer's folder is public. */
const FILES: Record<string, string> = {
  "swagger-ui.css": RENDERER,
  "swagger-ui-bundle.js": RENDERER,
  "favicon-32x32.png": RENDERER,
  "start.js": PAGE,
  "page.css": PAGE,
};

/** The API reference: Swagger UI, which renders openapi.json in the browser. Register it in its own Fastify scope. */
export async function docsRoutes(api: Api) {
  await api.register(fastifyStatic, { root: PAGE, serve: false, cacheControl: false });
  // No rate limit: these routes do not use the database.
  const config = { needs: "nothing", limit: "none" } as const;

  api.get(
    "/api/docs",
    {
      config,
      schema: {
        operationId: "readReference",
        summary: "Read the API reference as a page",
        response: { 200: answersWith("text/html") },
      },
    },
    (_request, reply) => send(reply, "index.html", PAGE),
  );

  api.get<{ Params: { file: string } }>(
    "/api/docs/:file",
    {
      config,
      schema: {
        operationId: "readReferenceFile",
        summary: "Read a file of the API reference page",
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
  // Browsers revalidate each time and get 304 while the file is unchanged.
  return reply
    .headers({ "content-security-policy": POLICY, "cache-control": "no-cache" })
    .sendFile(file, folder);
}

/** `data:` images are required because Swagger UI's style sheet embeds its icons. */
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
