import type { errorGroupListQuery, ErrorGroup, ErrorGroupList } from "../../../../../shared/error-groups.ts";
import type { Page as ApiPage } from "../../../../../shared/answers.ts";
import type { ListedEvent } from "../../../../../shared/kept-events.ts";
import { inlineText } from "../../../../../shared/markdown/fenced.ts";
import { errorGroupMarkdown } from "../../markdown/error-group.ts";
import { cursor, filters, id, limit, project } from "../calls/arguments.ts";
import { get, type Call } from "../calls/call.ts";
import { findErrorGroup, findProject, type Project } from "../calls/find-objects.ts";
import { groupEntry, groupReference, STATUSES } from "../calls/group-entry.ts";
import { writePage } from "../calls/page.ts";
import { readingTool } from "../calls/tool.ts";
import { shortened, type Entry } from "../calls/write-list.ts";

type Filter = Exclude<keyof typeof errorGroupListQuery.shape, "cursor" | "limit">;

const FILTERS: Record<Filter, string> = {
  sort: "last_seen (default), first_seen, events, users, or impact: new and regressed ones first, then those that affect most users.",
  direction: "desc (default) or asc.",
  level: "fatal, error, warning, info or debug.",
  regressed: "true or false: whether an event opened it again after a resolution.",
  first_release: "The release of its first event.",
  tag: "A key and a value, such as customer:acme.",
  ids: "Only the groups with these ids, separated by commas.",
  environment: "Such as production.",
  release: "A release in which it occurred.",
  query: "A text in the class, the message, or the function or file of a top frame.",
  status: "open, resolved or ignored.",
  assignee_id: "The id of the assignee, me, or none.",
};

export const listErrorGroups = readingTool({
  name: "list_error_groups",
  title: "List errors",
  description:
    "Lists a project's errors, most recently seen first. Each entry is a group of events with the same cause. Sort by impact and filter by status open to find what to fix first.",
  input: { project, ...filters(FILTERS), cursor, limit },
  run: async (call, { project: ref, cursor, limit, status, ...query }) => {
    const inProject = await findProject(call, ref);
    const filter = { ...query, status: STATUSES.get(status) ?? status };
    const { text, items, next } = await writePage(call, {
      nouns: "errors",
      limit,
      cursor,
      most: 200,
      read: async (page) => {
        const path = `/api/projects/${inProject.id}/error-groups`;
        const { data, meta } = await get<ErrorGroupList>(call, path, { ...filter, ...page });
        return { data, next: meta.next_cursor };
      },
      entriesOf: (groups) => groups.map((group) => groupEntry(call, inProject, group)),
    });
    const listed = items.map((group) => groupReference(call, inProject, group));
    return { text, structured: { project_id: inProject.id, error_groups: listed, next_cursor: next } };
  },
});

export const getErrorGroup = readingTool({
  name: "get_error_group",
  title: "Read an error",
  description:
    "Reads an error with its message, stack trace (the original code if its source map was uploaded), causes, releases and comments.",
  input: { error_group_id: id("The id of the error, from list_error_groups or search.") },
  run: async (call, { error_group_id }) => {
    const { project: inProject, item } = await findErrorGroup(call, error_group_id);
    return describeGroup(call, inProject, item);
  },
});

export async function describeGroup(call: Call, inProject: Project, group: ErrorGroup) {
  const reference = groupReference(call, inProject, group);
  const { retentionDays } = call.request.errorDb;
  const frames = await call.readFrames(
    { db: call.db, retentionDays },
    { projectId: inProject.id, groupId: group.id },
  );
  const { url } = reference;
  return {
    text: await errorGroupMarkdown(call.db, group, { url, budget: call.budget, frames, withComments: true }),
    structured: { ...reference, project_id: inProject.id, linked_issue_id: group.linked_issue_id },
  };
}

export const listEvents = readingTool({
  name: "list_events",
  title: "List the events of an error",
  description:
    "Lists the kept events of an error, newest first: when, in which release, on which host, for which user.",
  input: { error_group_id: id("The id of the error, from list_error_groups or search."), cursor },
  run: async (call, { error_group_id, cursor }) => {
    const { project: inProject, item, path } = await findErrorGroup(call, error_group_id);
    const { text, items, next } = await writePage(call, {
      nouns: "kept events",
      limit: 50,
      cursor,
      most: 200,
      total: item.kept_events_count,
      read: async (page) => {
        const { data, meta } = await get<ApiPage<ListedEvent>>(call, `${path}/events`, page);
        return { data, next: meta.next_cursor };
      },
      entriesOf: (events) => events.map(eventEntry),
    });
    const events = items.map(({ id, event_id, received_at }) => ({ id, event_id, received_at }));
    const { url } = groupReference(call, inProject, item);
    return { text, structured: { error_group_id: item.id, url, events, next_cursor: next } };
  },
});

function eventEntry({ id, received_at, level, release, host, user, message }: ListedEvent): Entry {
  const facts = [
    level,
    ...(release === null ? [] : [`release ${shortened(release, 60)}`]),
    ...(host === null ? [] : [`host ${shortened(host, 60)}`]),
    ...(user === null ? [] : [`user ${user}`]),
  ];
  return { heading: `- Event ${id}, ${received_at}: ${inlineText(facts.join(", "))}`, outside: message };
}
