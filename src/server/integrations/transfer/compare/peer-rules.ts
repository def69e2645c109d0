import { at, isRecord } from "../../../ingest/read/coerce.ts";
import { HttpStatusError } from "../fetch-json.ts";
import { ImportError } from "../import-error.ts";
import type { SentryApi } from "../sentry-api.ts";
import type { ComparedRule } from "./comparison.ts";

type Json = Record<string, unknown>;

/**
 * The alert rules of the projects: Sentry's `workflows`, else the `rules` of older servers, else GlitchTip's `alerts`. Null if the server
 * has none of these routes.
 */
export async function readPeerRules(
  api: SentryApi,
  projectSlugs: readonly string[],
): Promise<ComparedRule[] | null> {
  const { organization, query } = api;
  const ofProject = new URLSearchParams(
    query.getAll("project").map((id): [string, string] => ["project", id]),
  );
  const workflows = await readList(api, `organizations/${organization}/workflows/`, ofProject);
  if (workflows) return workflows.filter((rule) => rule["enabled"] !== false).map(readWorkflow);
  return (
    (await readOfProjects(api, projectSlugs, "rules", readRule)) ??
    (await readOfProjects(api, projectSlugs, "alerts", readAlert))
  );
}

async function readOfProjects(
  api: SentryApi,
  slugs: readonly string[],
  route: string,
  read: (rule: Json) => ComparedRule,
): Promise<ComparedRule[] | null> {
  const rules: ComparedRule[] = [];
  for (const slug of slugs) {
    const path = [api.organization, slug].map(encodeURIComponent).join("/");
    const list = await readList(api, `projects/${path}/${route}/`);
    if (list === null) return null;
    rules.push(...list.filter(({ status }) => status !== "disabled").map(read));
  }
  return rules;
}

/** Null if the server has no such route: other servers answer with a page of their web app, or with an error. */
async function readList(api: SentryApi, path: string, query?: URLSearchParams): Promise<Json[] | null> {
  const list: Json[] = [];
  try {
    for await (const page of api.pages(path, query)) list.push(...page.filter(isRecord));
    return list;
  } catch (error) {
    const mayNotRead = error instanceof HttpStatusError && (error.status === 401 || error.status === 403);
    if (!(error instanceof ImportError) || mayNotRead) throw error;
    return null;
  }
}

/** Names of conditions there, as they begin after `sentry.rules.conditions.` or in a workflow, and ours. */
const KINDS: [start: string, kind: string][] = [
  ["first_seen_event", "new_group"],
  ["issue_resolved_trigger", "resolved"],
  ["regression_event", "regression"],
  ["reappeared_event", "snooze_ended"],
  ["event_unique_user_frequency", "group_users"],
  ["event_frequency", "group_events"],
];

const ACTIONS: [part: string, action: string][] = [
  ["create_ticket", "issue"],
  ["createticket", "issue"],
  ["mail", "email"],
  ["webhook", "webhook"],
  ["notify_event", "webhook"],
  ["slack", "webhook"],
  ["discord", "webhook"],
  ["msteams", "webhook"],
  ["googlechat", "webhook"],
];

const kindOf = (name: string): string => {
  const own = name.replace(/^sentry\.rules\.conditions\./, "");
  return KINDS.find(([start]) => own.startsWith(start))?.[1] ?? own;
};

const actionOf = (name: string): string =>
  ACTIONS.find(([part]) => name.toLowerCase().includes(part))?.[1] ?? name;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const distinct = (values: string[]): string[] => [...new Set(values.filter((value) => value !== ""))];

function readWorkflow(rule: Json): ComparedRule {
  const filters = listOf(rule["actionFilters"]);
  return {
    name: textOf(rule["name"]),
    kinds: distinct(
      [
        ...listOf(at(rule["triggers"], "conditions")),
        ...filters.flatMap((filter) => listOf(filter["conditions"])),
      ]
        .map(({ type }) => textOf(type))
        .filter((type) => isTrigger(type))
        .map(kindOf),
    ),
    environment: textOf(rule["environment"]) || null,
    actions: distinct(
      filters.flatMap((filter) => listOf(filter["actions"])).map(({ type }) => actionOf(textOf(type))),
    ),
  };
}

/** A workflow counts events in a filter; its other filters narrow what it is about. */
const isTrigger = (type: string): boolean =>
  /_event$|_trigger$/.test(type) ||
  type.startsWith("event_frequency") ||
  type.startsWith("event_unique_user");

const readRule = (rule: Json): ComparedRule => ({
  name: textOf(rule["name"]),
  kinds: distinct(listOf(rule["conditions"]).map(({ id }) => kindOf(textOf(id)))),
  environment: textOf(rule["environment"]) || null,
  actions: distinct(listOf(rule["actions"]).map(({ id }) => actionOf(textOf(id)))),
});

/** GlitchTip counts the events of an issue in a number of minutes. */
const readAlert = (alert: Json): ComparedRule => ({
  name: textOf(alert["name"]),
  kinds: [alert["quantity"] === 1 ? "new_group" : "group_events"],
  environment: null,
  actions: distinct(
    listOf(alert["alertRecipients"]).map(({ recipientType }) => actionOf(textOf(recipientType))),
  ),
});
