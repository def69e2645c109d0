import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { setupBody } from "../../../shared/people.ts";
import { noteDevice } from "../../account/devices/note-device.ts";
import { hashPassword } from "../../access/passwords.ts";
import { openSession, type Browser } from "../../access/sessions.ts";
import { sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";
import { createWorkspace } from "../../people/workspaces/create-workspace.ts";

export async function setupRequired(db: Db): Promise<boolean> {
  const row = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  return row === undefined;
}

/** 403 once there is a user. */
export async function requireSetup(db: Db): Promise<void> {
  if (!(await setupRequired(db))) throw forbidden("Signalbox is already set up. Sign in instead.");
}

/**
 * Creates the first user with a workspace and a session; returns the user's id and the secrets of the cookies. 403 if
 * there is a user already, or if the token is wrong.
 */
export async function setUp(
  db: Db,
  setupToken: string,
  body: z.output<typeof setupBody>,
  browser: Browser,
): Promise<{ userId: number; secret: string; device: string }> {
  if (!timingSafeEqual(sha256(body.setup_token), sha256(setupToken)))
    throw forbidden("The setup token is wrong.");
  await requireSetup(db);
  const password_hash = await hashPassword(body.password);
  return db.transaction().execute(async (tx) => {
    await lockSetup(tx);
    const { id } = await tx
      .insertInto("users")
      .values({
        username: body.username,
        email: body.email,
        first_name: body.first_name,
        last_name: body.last_name,
        password_hash,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await createWorkspace(tx, id, { name: body.workspace_name });
    const device = await noteDevice(tx, id, browser);
    return { userId: id, secret: await openSession(tx, id, browser), device };
  });
}

/** If two set-ups race, the second waits here until it can see the user of the first. */
async function lockSetup(tx: Tx) {
  await sql`lock table users in share row exclusive mode`.execute(tx);
  await requireSetup(tx);
}
