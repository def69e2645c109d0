import type { Api } from "../app.ts";
import type { Database } from "../db/connect.ts";
import { HttpError } from "../http/errors.ts";

/** For monitors, which ask without a credential and often: no limit, no secrets. */
export function healthRoutes(api: Api, database: Database, isDraining: () => boolean) {
  const config = { needs: "nothing", limit: "none" } as const;

  api.get("/api/health", { config }, async () => ({ status: "ok" }));

  api.get("/api/ready", { config }, async (request) => {
    if (isDraining()) throw new HttpError(503, "The server is shutting down.");
    try {
      await database.pool.query("select 1");
    } catch (error) {
      request.log.warn({ err: error }, "the database does not answer");
      throw new HttpError(503, "The database does not answer.");
    }
    return { status: "ready" };
  });
}
