import { requireDailyAllowance } from "../../../record/require-daily-allowance.ts";
import { refused } from "../../../answers/errors.ts";
import { MAX_PROJECT_TOKENS } from "../../../../shared/project-tokens.ts";
import { sql } from "kysely";
import type { z } from "zod";
import type { ProjectToken, projectTokenBody } from "../../../../shared/project-tokens.ts";
import { makeToken } from "../../../access/tokens.ts";
import type { Db } from "../../../db/connect.ts";
import { queueSecurityMail } from "../../../mail/security-mail.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockProject } from "../lock-project.ts";
import { SHOWN } from "./read-tokens.ts";

/**
 * Only this response shows the token itself. The token can do no more than its creator. 422 if the project has as many tokens as it can
 * have, or the person created too many today: each has rate limits of its own.
 */
export async function createProjectToken(
  db: Db,
  projectId: number,
  actorId: number,
  body: z.output<typeof projectTokenBody>,
): Promise<ProjectToken & { token: string }> {
  const { token, token_hash, last_four } = makeToken("prj");
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    await requireDailyAllowance(tx, actorId, "token.created", "project_token");
    const { count } = await tx
      .selectFrom("project_tokens")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_PROJECT_TOKENS)
      throw refused(`A project can have at most ${MAX_PROJECT_TOKENS} tokens. Delete one first.`);
    const row = await tx
      .insertInto("project_tokens")
      .values({
        project_id: projectId,
        created_by: actorId,
        name: body.name,
        access: body.access,
        active: body.active ?? true,
        expires_at: body.expires_at ?? null,
        token_hash,
        last_four,
      })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    const { id, name, access, active, expires_at } = row;
    await recordAudit(tx, {
      kind: "token.created",
      project_id: projectId,
      subject: { type: "project_token", id, name },
      details: { access, active, expires_at },
    });
    await queueSecurityMail(tx, actorId, {
      subject: "A project token was created",
      body: `A project token ending in ${last_four} was created, which acts with your permissions.`,
    });
    return { ...(row as ProjectToken), token };
  });
}
