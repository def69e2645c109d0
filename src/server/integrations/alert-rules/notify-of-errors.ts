import { sql } from "kysely";
import { SNOOZE_ENDED } from "../../../shared/notifications.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { readErrorGroups } from "../../errors/groups/read-group.ts";
import {
  readNotifiedGroups,
  type NotifiedGroup,
  type NotifiedProject,
} from "../../inform/notify/notified-groups.ts";
import { queueWebhookEvents } from "../../record/webhook-events.ts";
import { readActiveRules, type ActiveRule } from "./active-rules.ts";
import { carryOut } from "./carry-out.ts";
import { thoseThatMeetConditions } from "./check-conditions.ts";
import { allowFirings, type Firing } from "./firing.ts";
import { describeOccasion, MEANING, takeOccasions, type Occasion } from "./occasions.ts";
import type { CheckedEvent } from "./read-facts.ts";
import { fireForReleases } from "./release-rules.ts";

type Options = { retentionDays: number; signal?: AbortSignal };

/**
 * Runs the rules for all new errors, regressions, ended snoozes and spikes, and tells webhooks of them; throws once the signal is
 * aborted. Takes each one in the transaction that notifies of it, so people are notified once. Any number of processes may call
 * this every second.
 */
export async function notifyOfErrors(db: Db, { signal, retentionDays }: Options): Promise<void> {
  let isMore = true;
  while (isMore) {
    signal?.throwIfAborted();
    isMore = await db.transaction().execute((tx) => notifyNext(tx, retentionDays));
  }
}

async function notifyNext(tx: Tx, retentionDays: number): Promise<boolean> {
  const occasions = await takeOccasions(tx);
  if (occasions.length === 0) return false;
  const notified = await readNotifiedGroups(tx, [...new Set(occasions.map(({ group_id }) => group_id))]);
  const rules = await readActiveRules(
    tx,
    ["new_group", "regression", "spike", "snooze_ended", "release_new_groups"],
    notified.map(({ project }) => project.id),
  );
  for (const { project, groups } of notified.toSorted((a, b) => a.project.id - b.project.id)) {
    const own = occasions.filter(({ group_id }) => groups.has(group_id));
    const projectRules = rules.filter(({ project_id }) => project_id === project.id);
    const firings = await allowFirings(tx, await findFirings(tx, { project, groups }, projectRules, own));
    const releases = await fireForReleases(tx, projectRules, own);
    await carryOut(tx, project, [...firings, ...releases], {
      retentionDays,
      others: endedSnoozes(project, groups, own),
    });
    await queueWebhookEvents(tx, { projectId: project.id, actorId: null }, () =>
      readEvents(tx, project.id, own, retentionDays),
    );
  }
  return true;
}

type Notified = { project: NotifiedProject; groups: Map<number, NotifiedGroup> };

/** The occasions that meet the conditions of a rule of their kind. */
async function findFirings(
  tx: Tx,
  { project, groups }: Notified,
  rules: ActiveRule[],
  occasions: Occasion[],
): Promise<Firing[]> {
  const candidates = occasions.flatMap((occasion) => {
    const group = groups.get(occasion.group_id);
    const own = rules.filter(({ kind }) => kind === MEANING[occasion.type].kind);
    return group ? own.map((rule) => ({ occasion, group, rule })) : [];
  });
  const holding = await thoseThatMeetConditions(tx, candidates, ({ occasion, rule }) => ({
    conditions: rule.if,
    group_id: occasion.group_id,
    event: EVENT_OF[rule.kind] ?? "latest",
  }));
  return holding.map(({ occasion, group, rule }) => ({
    rule,
    subject: { kind: "error_group", id: group.id, group },
    message: describeOccasion(occasion, group, project),
  }));
}

const EVENT_OF: Partial<Record<ActiveRule["kind"], CheckedEvent>> = {
  new_group: "first",
  regression: "regressing",
};

/** The end of a snooze notifies the group's watchers, whatever the rules say. */
const endedSnoozes = (
  project: NotifiedProject,
  groups: Map<number, NotifiedGroup>,
  occasions: Occasion[],
) => ({
  notices: occasions.flatMap((occasion) => {
    const group = groups.get(occasion.group_id);
    return group && occasion.type === SNOOZE_ENDED
      ? [{ group, type: occasion.type, message: describeOccasion(occasion, group, project) }]
      : [];
  }),
  recipients: sql`
    select n, user_id from notice join error_group_watchers using (group_id) where type = ${SNOOZE_ENDED}`,
});

async function readEvents(tx: Tx, projectId: number, occasions: Occasion[], retentionDays: number) {
  const ids = [...new Set(occasions.map(({ group_id }) => group_id))];
  const groups = new Map(
    (await readErrorGroups({ db: tx, retentionDays }, projectId, ids)).map((group) => [group.id, group]),
  );
  return occasions.flatMap(({ group_id: id, type }) => {
    const data = groups.get(id);
    return data ? [{ type: MEANING[type].event, kind: "error_group" as const, id, data }] : [];
  });
}
