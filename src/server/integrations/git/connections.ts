import { randomBytes, randomInt } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { Page } from "../../../shared/answers.ts";
import {
  type GitConnection,
  type gitConnectionBody,
  type gitConnectionChanges,
  MAX_GIT_CONNECTIONS,
  type NewGitConnection,
} from "../../../shared/git.ts";
import { notFound, refused } from "../../answers/errors.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";
import { changedColumns } from "../../db/patch-columns.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";

const COLUMNS = ["id", "host", "name", "token", "on_open", "last_delivery_at", "created_at"] as const;

type Row = Omit<GitConnection, "url"> & { token: string };

export async function listConnections(
  db: Db,
  publicUrl: string,
  projectId: number,
  query: PageQuery,
): Promise<Page<GitConnection>> {
  const rows = db
    .selectFrom("git_connections")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .$castTo<Row>();
  const { data, meta } = await readPage(rows, query, "id");
  return { data: data.map((row) => withUrl(publicUrl, row)), meta };
}

/** 404 if it is not a connection of this project. */
export async function readConnection(db: Db, projectId: number, id: number): Promise<Row> {
  const row = await db
    .selectFrom("git_connections")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .$castTo<Row>()
    .executeTakeFirst();
  if (!row) throw noSuchConnection();
  return row;
}

/** Returns the secret, which no other response contains. 422 if the project has as many connections as it can have. */
export async function createConnection(
  db: Db,
  publicUrl: string,
  { projectId, body }: { projectId: number; body: z.output<typeof gitConnectionBody> },
): Promise<NewGitConnection> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { count } = await tx
      .selectFrom("git_connections")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_GIT_CONNECTIONS)
      throw refused(`A project can have at most ${MAX_GIT_CONNECTIONS} Git connections. Delete one first.`);
    const secret = randomBytes(SECRET_BYTES);
    const { host, name = null, on_open = null } = body;
    const row = await tx
      .insertInto("git_connections")
      .values({ project_id: projectId, host, name, on_open, token: newToken(), secret })
      .returning(COLUMNS)
      .$castTo<Row>()
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "git_connection.created",
      project_id: projectId,
      subject: { type: "git_connection", id: row.id, name: name ?? host },
      details: { host, on_open },
    });
    return { ...withUrl(publicUrl, row), secret: secretText(secret) };
  });
}

/** 404 if it is not a connection of this project. */
export async function updateConnection(
  db: Db,
  publicUrl: string,
  { projectId, id, body }: { projectId: number; id: number; body: z.output<typeof gitConnectionChanges> },
): Promise<GitConnection> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readConnection(tx, projectId, id);
    const { name, on_open } = body;
    const changes = changedColumns(before, { name, on_open });
    if (!changes) return withUrl(publicUrl, before);
    const row = await tx
      .updateTable("git_connections")
      .set(changes)
      .where("id", "=", id)
      .returning(COLUMNS)
      .$castTo<Row>()
      .executeTakeFirst();
    // Deleting a connection does not wait for the project's lock.
    if (!row) throw noSuchConnection();
    await recordAudit(tx, {
      kind: "git_connection.changed",
      project_id: projectId,
      subject: { type: "git_connection", id, name: row.name ?? row.host },
      details: changes,
    });
    return withUrl(publicUrl, row);
  });
}

/** What was linked stays. 404 if it is not a connection of this project. */
export async function deleteConnection(db: Db, projectId: number, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom("git_connections")
      .where("project_id", "=", projectId)
      .where("id", "=", id)
      .returning(["host", "name"])
      .executeTakeFirst();
    if (!row) throw noSuchConnection();
    await recordAudit(tx, {
      kind: "git_connection.deleted",
      project_id: projectId,
      subject: { type: "git_connection", id, name: row.name ?? row.host },
    });
  });
}

const SECRET_BYTES = 32;

/** The secret as people copy it to the host: in the form that GitLab requires of a signing token. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString("base64")}`;

const TOKEN_LENGTH = 32;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const newToken = (): string =>
  Array.from({ length: TOKEN_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

function withUrl(publicUrl: string, { id, host, name, token, ...rest }: Row): GitConnection {
  return { id, host, name, url: `${publicUrl}/api/git/${token}`, ...rest };
}

const noSuchConnection = () => notFound("There is no such Git connection.");
