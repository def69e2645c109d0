import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { use } from "react";
import type { BulkStatus, ErrorGroup } from "../../../shared/error-groups.ts";
import { api } from "../../api/client.ts";
import { TimeZoneContext } from "../../kit/dates/time.tsx";
import { toast } from "../../kit/notices/toast.ts";
import { MAX_GROUPS, sendInParts, useChangeGroups } from "./change-groups.ts";
import {
  applies,
  bulkText,
  doneText,
  IGNORED,
  type StatusChange,
  type StatusFields,
  withStatus,
} from "./group-status.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { Queued, type QueuedFields } from "../offline/queued-changes.ts";
import { sendOrQueue } from "../offline/send-or-queue.ts";
import { useProfile } from "../account/session.ts";
import { GROUP_CHANGES, subjectsOf, useUndoGroups } from "./undo-groups.ts";

type Change = { groups: readonly StatusTarget[]; change: StatusChange };

const KEY = [...GROUP_CHANGES.mutationKey, "status"];

export type StatusTarget = StatusFields & { id: number; project_id: number; exception_class: string };

/**
 * Resolves, ignores, snoozes or reopens groups of any project, optimistically; groups that the server refuses are
 * reverted. A toast shows the outcome and offers to undo it.
 */
export function useSetStatus() {
  const client = useQueryClient();
  const timeZone = use(TimeZoneContext);
  const { id: userId } = useProfile();
  const undo = useUndoGroups();
  // A later change is more recent than the response to an earlier one.
  const isLast = () => client.isMutating({ mutationKey: KEY }) <= 1;
  const { change: changeGroups } = useChangeGroups<Change, BulkStatus>({
    mutationKey: KEY,
    send: (input, changeId) => {
      const title = `${namesOf(input.groups)} ${doneText(input.change, timeZone)}`;
      return sendStatus(client, { ...input, userId, title }, changeId);
    },
    patch: (client, { groups, change }) => {
      const by = { userId, now: new Date().toISOString() };
      const ids = new Set(groups.map(({ id }) => id));
      return patchEverywhere(client, "error_group", ids, (group) => withStatus(group, change, by));
    },
    failed: ({ groups, change }) => `${namesOf(groups)} could not be ${doneText(change, timeZone)}`,
    onDone: ({ data, refused_ids }, { groups, change }, begun) => {
      begun.revert(new Set(refused_ids));
      const changed = new Map(data.map((group) => [group.id, statusFieldsOf(group)]));
      if (isLast())
        patchEverywhere(
          client,
          "error_group",
          new Set(changed.keys()),
          (group) => changed.get(group.id) ?? {},
        );
      const done = groups.filter((group) => changed.has(group.id));
      const text = doneText(change, timeZone);
      const isOnly = groups.length === 1 && refused_ids.length === 0;
      const before = done.map((group) => ({
        id: group.id,
        project_id: group.project_id,
        ...statusFieldsOf(group),
      }));
      toast({
        title: isOnly ? `${namesOf(groups)} ${text}` : bulkText(text, done.length, refused_ids.length),
        tone: refused_ids.length === 0 ? "success" : "neutral",
        subjects: subjectsOf(groups),
        change: begun.change,
        undo:
          done.length === 0
            ? undefined
            : () => undo({ id: begun.id, title: `${namesOf(done)} ${text}`, groups: before }),
      });
    },
    // Live updates were not applied during the mutation.
    onSettled: (client) =>
      isLast() ? client.invalidateQueries({ queryKey: ["error_group"], refetchType: "active" }) : undefined,
  });
  return (groups: readonly StatusTarget[], change: StatusChange) => {
    const changing = groups.filter((group) => applies(group, change, groups.length === 1));
    if (changing.length > 0) changeGroups({ groups: changing, change });
  };
}

async function sendStatus(
  client: QueryClient,
  { groups, change, userId, title }: Change & { userId: number; title: string },
  change_id: string,
): Promise<BulkStatus | Queued> {
  const [group] = groups;
  const isForGood = change.status === IGNORED && change.until === undefined;
  const queueable = { shows: shownStatus(groups, change, userId), titleFor: () => title };
  if (groups.length === 1 && group && group.status === IGNORED && isForGood) {
    // The bulk endpoint leaves ignored groups as they are.
    const path = `/api/projects/${group.project_id}/error-groups/${group.id}/ignore`;
    const request = { method: "POST" as const, path, body: { change_id } };
    const answer = await sendOrQueue<ErrorGroup>(client, { request, ...queueable });
    return answer instanceof Queued ? answer : { data: [answer], refused_ids: [] };
  }
  const path = "/api/error-groups/bulk-status";
  if (groups.length > MAX_GROUPS)
    return sendInParts(groups, (error_group_ids) =>
      api.post(path, { error_group_ids, ...change, change_id }),
    );
  const body = { error_group_ids: groups.map(({ id }) => id), ...change, change_id };
  return sendOrQueue<BulkStatus>(client, { request: { method: "POST", path, body }, ...queueable });
}

/** What the groups show while the change waits for the connection. */
function shownStatus(groups: readonly StatusTarget[], change: StatusChange, userId: number): QueuedFields {
  const by = { userId, now: new Date().toISOString() };
  const items = groups.map((group) => ({
    id: group.id,
    project_id: group.project_id,
    before: statusFieldsOf(group),
    after: statusFieldsOf(withStatus(group, change, by)),
  }));
  return { kind: "error_group", items, compared: ["status"] };
}

/** "TypeError", "3 errors" */
const namesOf = ([one, ...others]: readonly StatusTarget[]) =>
  others.length === 0 ? one?.exception_class : `${others.length + 1} errors`;

/** The status fields of a list item. Other fields are more complete on the page of the group. */
function statusFieldsOf(group: StatusFields): StatusFields {
  const { status, resolved_at, resolved_by_id, regressed_at, last_release } = group;
  const { resolved_in, verified_at, snoozed_until, snooze_progress } = group;
  return {
    status,
    resolved_at,
    resolved_by_id,
    regressed_at,
    last_release,
    resolved_in,
    verified_at,
    snoozed_until,
    snooze_progress,
  };
}
