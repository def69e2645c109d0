/* Answers about objects that have other ids in another installation are compared by their names. */

// oxlint-disable-next-line typescript/no-explicit-any -- an answer is whatever the server says
type Json = any;
export type Read = (url: string) => Promise<Json>;

/** What identifies objects in both installations, by id. */
export async function nameObjects(read: Read, url: string, suffix: string) {
  const names: Record<string, Map<number, string>> = {};
  const add = async (kind: string, path: string, nameOf: (row: Json) => string) => {
    const body = await read(`${url}/${path}`);
    const rows: Json[] = Array.isArray(body) ? body : body.data;
    names[kind] = new Map(rows.map((row) => [row.id ?? row.user_id, nameOf(row)]));
    return rows;
  };
  await add("person", "members?limit=200", ({ username }) => username.replace(suffix, ""));
  await add("lane", "lanes", ({ name }) => name);
  await add("label", "labels", ({ name }) => name);
  await add("sprint", "sprints?limit=200", ({ name }) => name);
  await add("epic", "epics?limit=200", ({ title }) => title);
  await add("release", "releases?limit=200", ({ version }) => version);
  const issues = await add("issue", "issues?limit=200", ({ key }) => key);
  const reports = await add("report", "reports", ({ title, created_at }) => `${title} ${created_at}`);
  const groups = await add(
    "group",
    "error-groups",
    ({ exception_class, environment, first_seen_at }) => `${exception_class} ${environment} ${first_seen_at}`,
  );
  return { names, issues, reports, groups };
}

const FIELDS: Record<string, string> = {
  user_id: "person",
  created_by: "person",
  owner_id: "person",
  assignee_id: "person",
  resolved_by_id: "person",
  restored_by: "person",
  liker_ids: "person",
  lane_id: "lane",
  label_ids: "label",
  sprint_id: "sprint",
  epic_id: "epic",
  parent_id: "issue",
  duplicate_of_id: "issue",
  blocked_by_ids: "issue",
  blocks_ids: "issue",
  relates_to_ids: "issue",
  sub_issue_ids: "issue",
  promoted_issue_id: "issue",
  linked_issue_id: "issue",
  issue_id: "issue",
  report_id: "report",
  report_ids: "report",
  duplicate_report_ids: "report",
  error_group_id: "group",
  error_group_ids: "group",
};
/** Of this installation, or different by design. */
const IGNORED = new Set([
  "id",
  "project_id",
  "imported_from",
  "first_image_id",
  "thumbnail_id",
  "commentable_id",
  "watching",
  "owners",
]);

/** The value with names instead of ids. Lists of ids have no order of their own. */
export function canonical(value: Json, names: Record<string, Map<number, string>>, field = ""): Json {
  const kind = FIELDS[field];
  if (kind !== undefined && typeof value === "number") return names[kind]?.get(value) ?? `unknown ${kind}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, names, field));
    return kind === undefined ? items : items.sort((a, b) => String(a).localeCompare(String(b)));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !IGNORED.has(name))
      .map(([name, item]) => [name, canonical(item, names, name)]),
  );
}
