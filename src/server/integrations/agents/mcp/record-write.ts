import type { AuditKind } from "../../../../shared/audit.ts";
import type { Db } from "../../../db/connect.ts";
import { recordAudit } from "../../../record/audit.ts";
import type { Call } from "./calls/call.ts";
import type { Written } from "./calls/tool.ts";

/** Records in the audit log what a tool changed, by which token and client. */
export async function recordWrite(
  db: Db,
  { request: { caller }, client }: Call,
  tool: string,
  { project_id, subject }: Written,
): Promise<void> {
  if (caller.kind !== "personal") throw new Error("Only personal tokens use MCP.");
  const token = await db
    .selectFrom("personal_tokens")
    .select("name")
    .where("id", "=", caller.token_id)
    .executeTakeFirst();
  await recordAudit(db, {
    kind: `mcp.${tool}` as AuditKind,
    project_id,
    subject,
    details: { token_id: caller.token_id, token_name: token?.name ?? null, client },
  });
}
