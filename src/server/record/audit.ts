import { sql } from "kysely";
import type { AuditKind, AuditSubject } from "../../shared/audit.ts";
import type { Db, Tx } from "../db/connect.ts";
import { currentOrigin } from "./origin.ts";

/**
 * Determines which administrators see the entry: those of the workspace, of the project's workspace, or, for actions on an
 * account, of every workspace that the account currently belongs to. `account_id: null` is an unknown account: the entry is
 * stored, but no administrator sees it.
 */
type Scope = { workspace_id: number } | { project_id: number } | { account_id: number | null };

type Detail = string | number | boolean | null | undefined | readonly string[] | readonly number[];

export type AuditedAction = Scope & {
  kind: AuditKind;
  /** The name is optional for users: it is looked up. */
  subject?: { type: AuditSubject; id: number; name?: string | null };
  /** What changed. Never a secret, and never text that a user wrote. */
  details?: Record<string, Detail>;
  /** The acting user if it is not the caller; null if unknown. */
  actor_id?: number | null;
};

/**
 * Records an action in the caller's transaction, with the client's address and user agent. The details include the project of
 * an action in one, and the token of an action by one. The project must still exist: record its deletion with `workspace_id`
 * instead.
 */
export async function recordAudit(tx: Tx | Db, action: AuditedAction): Promise<void> {
  await recordAudits(tx, [action]);
}

/** Like `recordAudit`, for several actions in one statement. */
export async function recordAudits(tx: Tx | Db, actions: AuditedAction[]): Promise<void> {
  if (actions.length === 0) return;
  const origin = currentOrigin();
  const by = origin.token ? { [`${origin.token.kind}_token_id`]: origin.token.id } : {};
  const rows = actions.map(({ subject, details, actor_id = origin.actor_id, ...action }, n) => ({
    ...action,
    n,
    actor_id,
    subject_type: subject?.type,
    subject_id: subject?.id,
    subject_name: subject?.name,
    details: { ...details, ...(Object.keys(by).length > 0 ? { by } : {}) },
  }));
  await sql`
    insert into audit_events (workspace_id, actor_id, actor_name, kind, subject_type, subject_id, subject_name, details,
      ip, user_agent)
    select coalesce(a.workspace_id, p.workspace_id, m.workspace_id), u.id, u.first_name || ' ' || u.last_name, a.kind,
      a.subject_type, a.subject_id, left(coalesce(a.subject_name, s.first_name || ' ' || s.last_name), 255),
      case when p.id is null then a.details else a.details || jsonb_build_object('project_id', p.id, 'project_key', p.key) end,
      ${origin.ip}, ${origin.user_agent}
    from json_to_recordset(${JSON.stringify(rows)}) as a (n int, kind text, workspace_id bigint, project_id bigint,
      account_id bigint, actor_id bigint, subject_type text, subject_id bigint, subject_name text, details jsonb)
    left join projects p on p.id = a.project_id
    left join workspace_members m on m.user_id = a.account_id
    left join users u on u.id = a.actor_id
    left join users s on a.subject_type = 'user' and s.id = a.subject_id
    order by a.n, m.workspace_id`.execute(tx);
}
