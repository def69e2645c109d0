import type { AlertKind, AlertRule } from "../../../shared/alert-rules.ts";
import type { AlertAction, AlertConditions, NewAlertRule } from "../../data/integrations/alert-rules.ts";
import { hasConditions, KINDS } from "./rule-kinds.ts";

/** A rule as the fields of its form have it. */
export type RuleDraft = {
  name: string;
  kind: AlertKind;
  count: string;
  /** Percent. */
  below: string;
  sessions: string;
  minutes: string;
  days: string;
  environment: string;
  level: string;
  class_pattern: string;
  message_pattern: string;
  file_pattern: string;
  assignee_id: number | null;
  /** `browser:Firefox, os:Linux` */
  tags: string;
  actions: readonly AlertAction[];
  every_minutes: string;
};

type Rule = NewAlertRule & { if: AlertConditions; every_minutes: number };

const NEW: RuleDraft = {
  name: "",
  kind: "group_events",
  count: "100",
  below: "99",
  sessions: "100",
  minutes: "10",
  days: "3",
  environment: "",
  level: "",
  class_pattern: "",
  message_pattern: "",
  file_pattern: "",
  assignee_id: null,
  tags: "",
  actions: [{ to: "inbox", recipients: ["watchers"] }],
  every_minutes: "60",
};

export function draftOf(rule: Rule | undefined): RuleDraft {
  if (rule === undefined) return NEW;
  const { when, if: conditions } = rule;
  return {
    ...NEW,
    name: rule.name,
    kind: when.kind,
    ...("count" in when && { count: String(when.count) }),
    ...("below" in when && {
      below: String(Math.round(when.below * 1_000_000) / 10_000),
      sessions: String(when.sessions),
    }),
    ...("minutes" in when && { minutes: String(when.minutes) }),
    ...("days" in when && { days: String(when.days) }),
    environment: conditions.environment ?? "",
    level: conditions.level ?? "",
    class_pattern: conditions.class_pattern ?? "",
    message_pattern: conditions.message_pattern ?? "",
    file_pattern: conditions.file_pattern ?? "",
    assignee_id: conditions.assignee_id ?? null,
    tags: Object.entries(conditions.tags ?? {})
      .map(([key, value]) => `${key}:${value}`)
      .join(", "),
    actions: rule.then,
    every_minutes: String(rule.every_minutes),
  };
}

export function whenOf(draft: RuleDraft): AlertRule["when"] {
  const numbers = KINDS[draft.kind].fields.map((field) => [
    field,
    field === "below" ? Math.round(Number(draft.below) * 10_000) / 1_000_000 : Number(draft[field]),
  ]);
  return { kind: draft.kind, ...Object.fromEntries(numbers) } as AlertRule["when"];
}

/** The conditions that were filled in. Kinds without conditions have none. */
export function conditionsOf(draft: RuleDraft): AlertConditions {
  if (!hasConditions(draft.kind)) return {};
  const { environment, level, class_pattern, message_pattern, file_pattern, assignee_id } = draft;
  const tags = tagsOf(draft.tags);
  const conditions = {
    environment,
    level,
    class_pattern,
    message_pattern,
    file_pattern,
    ...(assignee_id !== null && { assignee_id }),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== ""));
}

export const bodyOf = (draft: RuleDraft): NewAlertRule => ({
  name: draft.name,
  when: whenOf(draft),
  if: conditionsOf(draft),
  // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
  then: [...draft.actions],
  every_minutes: Number(draft.every_minutes),
});

/** A tag without a value has an empty one, which the server rejects with a message. */
function tagsOf(text: string): Record<string, string> {
  const tags = text.split(",").filter((tag) => tag.trim() !== "");
  return Object.fromEntries(
    tags.map((tag) => {
      const [key = "", ...value] = tag.split(":");
      return [key.trim(), value.join(":").trim()];
    }),
  );
}
