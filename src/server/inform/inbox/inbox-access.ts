import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Permission } from "../../../shared/permissions.ts";
import type { Db } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";

/**
 * The inbox belongs to no project. Its permissions are granted by any of the caller's roles, to administrators and owners,
 * and to users without any project role. Returns an `onRequest` hook, which runs after the guard and before the body is
 * read.
 */
export function needsInbox(db: Db, permission: Extract<Permission, `notifications:${string}`>) {
  return async ({ caller }: FastifyRequest): Promise<void> => {
    const { rows } = await sql<{ is_permitted: boolean }>`
      select coalesce(bool_or(is_all or ${permission} = any(permissions)), true)
        or exists (select from workspace_members
          where user_id = ${caller.user_id} and is_admin and deactivated_at is null) as is_permitted
      from project_grants where user_id = ${caller.user_id}`.execute(db);
    if (!rows[0]?.is_permitted) throw forbidden(`You need the permission ${permission} in a project.`);
  };
}
