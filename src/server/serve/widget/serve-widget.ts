import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { Authority } from "../../access/authority.ts";
import { allowsOrigin } from "../../access/allows-origin.ts";
import { notFound } from "../../answers/errors.ts";
import { keepFiles, VERSIONED } from "./keep-files.ts";

/** Where `npm run build` puts the widget. */
export const BUILT = path.join(import.meta.dirname, "../../../../dist/widget");

type WidgetOptions = { authority: Authority; dataDir: string; built?: string | undefined };

/**
 * Serves the feedback widget to pages of any origin: /widget.js, the files that it loads, and the dialog that Sentry's SDKs load
 * after a crash.
 */
export async function serveWidget(
  app: FastifyInstance,
  { authority, dataDir, built = BUILT }: WidgetOptions,
): Promise<void> {
  const kept = path.join(dataDir, "widget");
  app.addHook("onReady", () =>
    keepFiles(built, kept).catch((error: unknown) =>
      app.log.warn({ err: error }, "the widget's files could not be copied into the data directory"),
    ),
  );
  await app.register(fastifyStatic, {
    root: import.meta.dirname,
    serve: false,
    cacheControl: false,
    // Called only for files that exist, so a 404 is never cached.
    setHeaders: (reply, file) => void reply.headers({ ...FOR_ANY_PAGE, "cache-control": cacheOf(file) }),
  });

  /** The crash dialog's script depends on its parameters, so it is not cached. */
  function cacheOf(file: string): string {
    if (file.startsWith(kept + path.sep)) return PINNED;
    return path.basename(file) === "widget.js" ? CURRENT : "no-store";
  }

  // No rate limit: these routes do not use the database.
  const config = { needs: "nothing", limit: "none" } as const;
  app.get("/widget.js", { config }, (_request, reply) => reply.sendFile("widget.js", built));
  app.get("/widget/:file", { config }, async (request, reply) => {
    const { file } = request.params as { file: string };
    if (!VERSIONED.test(file)) throw notFound("There is nothing at this address.");
    return reply.sendFile(file, kept);
  });

  /** Sentry's SDKs load this as a script when an application calls `Sentry.showReportDialog()`. */
  for (const slash of ["", "/"])
    app.get(`/api/embed/error-page${slash}`, { config: { needs: "nothing" } }, async (request, reply) => {
      const isAccepted = await acceptsFeedback(authority, request.query, request.headers.origin);
      return isAccepted ? reply.sendFile("crash.js", built) : reply.headers(FOR_ANY_PAGE).send(REFUSAL);
    });
}

/** Whether pages of this origin may send feedback with the DSN among the parameters. */
async function acceptsFeedback(authority: Authority, query: unknown, origin?: string): Promise<boolean> {
  const { dsn } = query as Record<string, unknown>;
  if (typeof dsn !== "string" || !URL.canParse(dsn)) return false;
  const { username, pathname } = new URL(dsn);
  const key = await authority.ingestKey(username);
  return (
    key !== undefined &&
    key.isActive &&
    key.reports &&
    pathname.endsWith(`/${key.projectId}`) &&
    allowsOrigin(key.allowedOrigins, origin)
  );
}

/** An error would be no script, and an application could not tell why its dialog does not open. */
const REFUSAL = 'console.warn("[signalbox] Feedback is not accepted with this DSN on this page.");\n';

const FOR_ANY_PAGE = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "content-type": "text/javascript; charset=utf-8",
};

/** Ten minutes: how long pages may use the widget of the version before. */
const CURRENT = "public, max-age=600";
const PINNED = "public, max-age=31536000, immutable";
