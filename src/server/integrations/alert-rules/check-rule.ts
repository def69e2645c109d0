import { sql } from "kysely";
import {
  acceptsConditions,
  isAboutGroups,
  type AlertAction,
  type AlertConditions,
  type AlertWhen,
} from "../../../shared/alert-rules.ts";
import { usersWhere, type ProjectRef } from "../../access/access-queries.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

type Rule = { when: AlertWhen; if: AlertConditions; then: AlertAction[] };

/** 422 on conditions and actions that the kind of rule does not have: an ignored condition would widen the rule. */
export function requireFittingKind({ when: { kind }, if: conditions, then }: Rule): void {
  const errors: FieldErrors = {};
  if (!acceptsConditions(kind))
    for (const [field, value] of Object.entries(conditions))
      if (value !== undefined) errors[`if.${field}`] = [`is not used by rules of the kind ${kind}`];
  if (!isAboutGroups(kind))
    for (const [index, { to }] of then.entries())
      if (to === "issue" || to === "assign")
        errors[`then.${index}`] = [`is not possible in rules of the kind ${kind}`];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/**
 * 422 on every id that a rule of the project cannot use: users who cannot access it, teams of other workspaces, and webhooks,
 * lanes and labels of other projects.
 */
export async function requireKnownReferences(
  db: Db,
  project: ProjectRef,
  { if: conditions, then }: { if: AlertConditions; then: AlertAction[] },
): Promise<void> {
  const references = [
    ...(conditions.assignee_id === undefined
      ? []
      : [{ field: "if.assignee_id", kind: "user" as const, id: conditions.assignee_id }]),
    ...then.flatMap((action, index) =>
      referencesOf(action).map(({ field, ...reference }) => ({
        field: `then.${index}.${field}`,
        ...reference,
      })),
    ),
  ];
  const known = await readKnown(db, project, references);
  const unknown = references.filter(({ kind, id }) => !known.has(`${kind} ${id}`));
  if (unknown.length > 0)
    throw invalid(Object.fromEntries(unknown.map(({ field, kind }) => [field, [PROBLEMS[kind]]])));
}

const PROBLEMS = {
  user: "cannot access the project",
  team: "is not a team of the workspace",
  webhook: "is not a webhook of the project",
  lane: "is not a lane of the project",
  label: "is not a label of the project",
};

type Reference = { field: string; kind: keyof typeof PROBLEMS; id: number };

function referencesOf(action: AlertAction): Reference[] {
  switch (action.to) {
    case "inbox":
    case "email":
      return [
        ...several("user_ids", "user", action.user_ids),
        ...several("team_ids", "team", action.team_ids),
      ];
    case "webhook":
      return [{ field: "webhook_id", kind: "webhook", id: action.webhook_id }];
    case "issue":
      return [
        ...single("lane_id", "lane", action.lane_id),
        ...single("assignee_id", "user", action.assignee_id),
        ...several("label_ids", "label", action.label_ids),
      ];
    case "assign":
      return single("user_id", "user", action.user_id);
  }
}

const single = (field: string, kind: Reference["kind"], id: number | undefined): Reference[] =>
  id === undefined ? [] : [{ field, kind, id }];

const several = (field: string, kind: Reference["kind"], ids: number[] = []): Reference[] =>
  ids.map((id, index) => ({ field: `${field}.${index}`, kind, id }));

/** The referenced rows that the project's rules can use, as `team 12`. */
export async function readKnown(
  db: Db,
  project: ProjectRef,
  references: Pick<Reference, "kind" | "id">[],
): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const idsOf = (wanted: Reference["kind"]) =>
    sql`any(${references.filter(({ kind }) => kind === wanted).map(({ id }) => id)}::bigint[])`;
  const { rows } = await sql<{ known: string }>`
    select 'user ' || user_id as known from (${usersWhere(project)}) member where user_id = ${idsOf("user")}
    union all
    select 'team ' || id from teams where workspace_id = ${project.workspace_id} and id = ${idsOf("team")}
    union all
    select 'webhook ' || id from webhooks where project_id = ${project.id} and id = ${idsOf("webhook")}
    union all
    select 'lane ' || id from lanes where project_id = ${project.id} and id = ${idsOf("lane")}
    union all
    select 'label ' || id from labels where project_id = ${project.id} and id = ${idsOf("label")}`.execute(
    db,
  );
  return new Set(rows.map(({ known }) => known));
}
