import type { AlertKind, AlertRule } from "../../../shared/alert-rules.ts";
import type { AlertAction, AlertConditions } from "../../data/integrations/alert-rules.ts";
import { countOf } from "../../kit/count-text.ts";

/** What ids stand for: "@ada", "@backend", "Slack". */
export type Names = {
  person: (id: number) => string;
  team: (id: number) => string;
  webhook: (id: number) => string;
  lane: (id: number) => string;
};

type Rule = { when: AlertRule["when"]; if: AlertConditions; actions: readonly AlertAction[] };

/** "When an error passes 100 events in 10 minutes in production, tell @backend and create an issue." */
export function sentenceOf({ when, if: conditions, actions }: Rule, names: Names): string {
  return `When ${occasionOf(when)}${conditionsText(conditions, names)}, ${joined(actionsOf(actions, names)) || "do nothing"}.`;
}

const OCCASIONS: Partial<Record<AlertKind, string>> = {
  new_group: "a new error appears",
  regression: "a resolved error comes back",
  spike: "an error spikes",
  snooze_ended: "the snooze of an error ends",
  report_created: "a report is created",
};

function occasionOf(when: AlertRule["when"]): string {
  switch (when.kind) {
    case "project_events":
      return `the project passes ${countOf(when.count, "event")} in ${durationText(when.minutes)}`;
    case "group_events":
      return `an error passes ${countOf(when.count, "event")} in ${durationText(when.minutes)}`;
    case "group_users":
      return `an error affects more than ${countOf(when.count, "user")} in ${durationText(when.minutes)}`;
    case "release_new_groups":
      return when.count === 0
        ? "a release has a new error"
        : `a release has more than ${countOf(when.count, "new error")}`;
    case "release_crash_free":
      return `less than ${Math.round(when.below * 10_000) / 100} % of a release's sessions in ${durationText(when.minutes)}, of at least ${when.sessions.toLocaleString("en")}, are crash-free`;
    case "report_waiting":
      return `a report has waited ${countOf(when.days, "day")}`;
    default:
      return OCCASIONS[when.kind] ?? when.kind;
  }
}

/** "10 minutes", "24 hours". */
export function durationText(minutes: number): string {
  if (minutes % 1_440 === 0) return countOf(minutes / 1_440, "day");
  return minutes % 60 === 0 ? countOf(minutes / 60, "hour") : countOf(minutes, "minute");
}

function conditionsText(conditions: AlertConditions, names: Names): string {
  const { environment, level, class_pattern, message_pattern, file_pattern, assignee_id, tags } = conditions;
  const properties = [
    level && `level ${level}`,
    class_pattern && `class ${class_pattern}`,
    message_pattern && `message ${message_pattern}`,
    file_pattern && `file ${file_pattern}`,
    ...Object.entries(tags ?? {}).map(([key, value]) => `tag ${key}:${value}`),
  ].filter((text) => typeof text === "string");
  return [
    environment && ` in ${environment}`,
    assignee_id && `, assigned to ${names.person(assignee_id)}`,
    properties.length > 0 && ` with ${joined(properties)}`,
  ]
    .filter((text) => typeof text === "string")
    .join("");
}

/** What is done. The inbox and an email to the same people are one part of the sentence. */
function actionsOf(actions: readonly AlertAction[], names: Names): string[] {
  const messages = actions.flatMap((action) =>
    action.to === "inbox" || action.to === "email"
      ? [{ to: action.to, who: joined(recipientsOf(action, names)) }]
      : [],
  );
  const told = [...new Set(messages.map(({ who }) => who))].map((who) => {
    const ways = new Set(messages.filter((message) => message.who === who).map(({ to }) => to));
    if (!ways.has("email")) return `tell ${who}`;
    return ways.has("inbox") ? `tell ${who} in the inbox and by email` : `email ${who}`;
  });
  return [...told, ...actions.flatMap((action) => actionText(action, names) ?? [])];
}

type Message = Extract<AlertAction, { to: "inbox" | "email" }>;

function recipientsOf({ recipients = [], user_ids = [], team_ids = [] }: Message, names: Names): string[] {
  return [
    ...(recipients ?? []).map((who) => (who === "assignee" ? "the assignee" : who)),
    ...(user_ids ?? []).map(names.person),
    ...(team_ids ?? []).map(names.team),
  ];
}

function actionText(action: AlertAction, names: Names): string | undefined {
  switch (action.to) {
    case "webhook":
      return `send it to ${names.webhook(action.webhook_id)}`;
    case "issue": {
      const lane = action.lane_id ? ` in ${names.lane(action.lane_id)}` : "";
      return `create an issue${lane}${action.assignee_id ? ` assigned to ${names.person(action.assignee_id)}` : ""}`;
    }
    case "assign":
      return `assign it to ${action.user_id ? names.person(action.user_id) : "its code owner"}`;
    default:
      return undefined;
  }
}

/** "a, b and c" */
function joined(parts: readonly string[]): string {
  const [last] = parts.slice(-1);
  return parts.length < 2 ? (last ?? "") : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
