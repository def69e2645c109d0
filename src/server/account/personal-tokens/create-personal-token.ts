import type { z } from "zod";
import type { PersonalToken, personalTokenBody } from "../../../shared/personal-tokens.ts";
import { makeToken } from "../../access/tokens.ts";
import type { Db } from "../../db/connect.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { recordAudit } from "../../record/audit.ts";
import { requireDailyAllowance } from "../../record/require-daily-allowance.ts";
import { SHOWN } from "./list-personal-tokens.ts";
import { requireAccessible } from "./require-accessible.ts";

/**
 * Only this response shows the token itself. 422 if the user created too many tokens today, or cannot access one of the
 * projects.
 */
export async function createPersonalToken(
  db: Db,
  userId: number,
  body: z.output<typeof personalTokenBody>,
): Promise<PersonalToken & { token: string }> {
  const { scopes, project_ids } = body;
  const { token, token_hash, last_four } = makeToken("pat");
  return db.transaction().execute(async (tx) => {
    await requireDailyAllowance(tx, userId, "token.created", "personal_token");
    await requireAccessible(tx, userId, project_ids ?? []);
    const row = await tx
      .insertInto("personal_tokens")
      .values({
        user_id: userId,
        name: body.name,
        write: scopes?.some((scope) => scope.endsWith(":write")) ?? body.write ?? false,
        scopes: scopes ?? null,
        project_ids: project_ids ?? null,
        expires_at: body.expires_at ?? null,
        token_hash,
        last_four,
      })
      .returning(SHOWN)
      .$castTo<PersonalToken>()
      .executeTakeFirstOrThrow();
    const { id, name, write, expires_at } = row;
    await recordAudit(tx, {
      kind: "token.created",
      account_id: userId,
      actor_id: userId,
      subject: { type: "personal_token", id, name },
      details: { write, expires_at, ...(scopes && { scopes, project_ids }) },
    });
    await queueSecurityMail(tx, userId, {
      subject: "A personal token was created",
      body: `A personal token ending in ${last_four} was created.`,
    });
    return { ...row, token };
  });
}
