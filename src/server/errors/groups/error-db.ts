import type { FastifyInstance } from "fastify";
import type { Db } from "../../db/connect.ts";

declare module "fastify" {
  interface FastifyRequest {
    readonly errorDb: ErrorDb;
  }
}

/** The database of a request, and for how many days it keeps errors. */
export type ErrorDb = { db: Db; retentionDays: number };

/** Adds `errorDb` to requests. */
export function provideErrorDb(app: FastifyInstance, retentionDays: number): void {
  app.decorateRequest("errorDb", {
    getter() {
      return { db: this.db, retentionDays };
    },
  });
}
