import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";
import type { Notification } from "../../src/shared/notifications.ts";
import { PREFERENCES, type Preference } from "../../src/shared/people.ts";
import { makePersonalToken } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** The user's inbox as the API returns it, newest first. */
export async function inboxOf(t: TestApp, user: { id: number }): Promise<Notification[]> {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  const answer = await client.get("/api/notifications?limit=500");
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** Types 8 to 18 in the user's inbox with their message, oldest first. */
export async function furtherMessagesTo(t: TestApp, user: { id: number }): Promise<[number, string][]> {
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  const answer = await client.get("/api/notifications?limit=500&include=all");
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as Notification[])
    .filter(({ type }) => type > 7)
    .map(({ type, message }): [number, string] => [type, message])
    .toReversed();
}

/** Type and message of each entry in the inbox. */
export async function messagesTo(t: TestApp, user: { id: number }): Promise<[number, string][]> {
  return (await inboxOf(t, user)).map(({ type, message }) => [type, message]);
}

export type QueuedMail = { subject: string; lines: string[]; preference: string; button_path: string };

/** The queued emails to the user, oldest first. */
export async function mailsTo(db: Db, user: { id: number }): Promise<QueuedMail[]> {
  const rows = await db
    .selectFrom("mails")
    .select(["subject", "lines", "preference", "button_path"])
    .where("user_id", "=", user.id)
    .orderBy("id")
    .execute();
  return rows as QueuedMail[];
}

/** Turns the named preferences off and all others on. */
export async function switchOff(db: Db, user: { id: number }, off: readonly Preference[]): Promise<void> {
  const values = Object.fromEntries(PREFERENCES.map((preference) => [preference, !off.includes(preference)]));
  await db.updateTable("users").set(values).where("id", "=", user.id).execute();
}

/** Adds an entry of the given age to the user's inbox. */
export async function makeNotification(
  db: Db,
  user: { id: number },
  about: { workspace_id: number; project_id: number; issue?: { id: number; key: string; title: string } },
  overrides: Partial<{ type: number; message: string; actor_id: number; read: boolean }> = {},
): Promise<number> {
  const { read = false, ...rest } = overrides;
  const { id } = await db
    .insertInto("notifications")
    .values({
      user_id: user.id,
      type: 5,
      message: "Something happened",
      workspace_id: about.workspace_id,
      project_id: about.project_id,
      issue_id: about.issue?.id ?? null,
      issue_key: about.issue?.key ?? null,
      issue_title: about.issue?.title ?? null,
      read_at: read ? sql`clock_timestamp()` : null,
      ...rest,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes the user watch an issue, bypassing all permission checks. */
export async function watch(db: Db, issueId: number, user: { id: number }): Promise<void> {
  await db
    .insertInto("issue_watchers")
    .values({ issue_id: issueId, user_id: user.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function watchersOf(db: Db, issueId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("issue_watchers")
    .select("user_id")
    .where("issue_id", "=", issueId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}
