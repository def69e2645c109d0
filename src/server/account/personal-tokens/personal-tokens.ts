import type { z } from "zod";
import type { personalTokenBody } from "../../../shared/people.ts";
import { recordAudit } from "../../record/audit.ts";
import { makeToken } from "../../access/tokens.ts";
import type { Db } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";

const SHOWN = ["id", "name", "last_four", "write", "expires_at", "last_used_at", "created_at"] as const;

export function listPersonalTokens(db: Db, userId: number, query: PageQuery) {
  const rows = db.selectFrom("personal_tokens").select(SHOWN).where("user_id", "=", userId);
  return readPage(rows, query, "id");
}

/** The only answer that ever shows the token itself. */
export async function createPersonalToken(db: Db, userId: number, body: z.output<typeof personalTokenBody>) {
  const { token, token_hash, last_four } = makeToken("pat");
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto("personal_tokens")
      .values({
        user_id: userId,
        name: body.name,
        write: body.write ?? false,
        expires_at: body.expires_at ?? null,
        token_hash,
        last_four,
      })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    const { id, name, write, expires_at } = row;
    await recordAudit(tx, {
      kind: "token.created",
      account_id: userId,
      actor_id: userId,
      subject: { type: "personal_token", id, name },
      details: { write, expires_at },
    });
    return { ...row, token };
  });
}

export async function deletePersonalToken(db: Db, userId: number, tokenId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await tx
      .deleteFrom("personal_tokens")
      .where("id", "=", tokenId)
      .where("user_id", "=", userId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!token) throw notFound("There is no such token.");
    await recordAudit(tx, {
      kind: "token.revoked",
      account_id: userId,
      subject: { type: "personal_token", ...token },
    });
  });
}
