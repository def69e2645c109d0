import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Permission } from "../../../shared/permissions.ts";
import type { Db } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";

/**
 * Returns an `onRequest` hook that requires the permission for the inbox, which belongs to no project. Callers have it if any of
 * their roles grants it, if they are an administrator or owner, or if they have no project role at all.
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
