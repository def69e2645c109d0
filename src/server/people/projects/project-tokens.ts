import type { z } from "zod";
import type { ProjectToken, projectTokenBody, projectTokenChanges } from "../../../shared/project-tokens.ts";
import { recordAudit } from "../../record/audit.ts";
import { makeToken } from "../../access/tokens.ts";
import type { Db } from "../../db/connect.ts";
import { sent } from "../../db/sent.ts";
import { notFound } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { lockProject } from "./lock-project.ts";

const SHOWN = [
  "id",
  "name",
  "access",
  "active",
  "last_four",
  "created_by",
  "expires_at",
  "last_used_at",
  "created_at",
] as const;

export function listProjectTokens(db: Db, projectId: number, query: PageQuery): Promise<Page<ProjectToken>> {
  const rows = db
    .selectFrom("project_tokens")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .$castTo<ProjectToken>();
  return readPage(rows, query, "id");
}

/** 404 when it is not a token of this project. */
export async function readProjectToken(db: Db, projectId: number, tokenId: number): Promise<ProjectToken> {
  const row = await db
    .selectFrom("project_tokens")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("id", "=", tokenId)
    .executeTakeFirst();
  if (!row) throw noSuchToken();
  return row as ProjectToken;
}

/** The only answer that ever shows the token itself. It acts within what the user may do (decisions.md 6). */
export async function createProjectToken(
  db: Db,
  projectId: number,
  actorId: number,
  body: z.output<typeof projectTokenBody>,
): Promise<ProjectToken & { token: string }> {
  const { token, token_hash, last_four } = makeToken("prj");
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
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
    return { ...(row as ProjectToken), token };
  });
}

export async function updateProjectToken(
  db: Db,
  projectId: number,
  tokenId: number,
  body: z.output<typeof projectTokenChanges>,
): Promise<ProjectToken> {
  const changes = sent({
    name: body.name,
    access: body.access,
    active: body.active,
    expires_at: body.expires_at,
  });
  if (!changes) return readProjectToken(db, projectId, tokenId);
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable("project_tokens")
      .set(changes)
      .where("project_id", "=", projectId)
      .where("id", "=", tokenId)
      .returning(SHOWN)
      .executeTakeFirst();
    if (!row) throw noSuchToken();
    await recordAudit(tx, {
      kind: "token.changed",
      project_id: projectId,
      subject: { type: "project_token", id: row.id, name: row.name },
      details: changes,
    });
    return row as ProjectToken;
  });
}

export async function deleteProjectToken(db: Db, projectId: number, tokenId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await tx
      .deleteFrom("project_tokens")
      .where("project_id", "=", projectId)
      .where("id", "=", tokenId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!token) throw noSuchToken();
    await recordAudit(tx, {
      kind: "token.revoked",
      project_id: projectId,
      subject: { type: "project_token", ...token },
    });
  });
}

const noSuchToken = () => notFound("There is no such token.");
