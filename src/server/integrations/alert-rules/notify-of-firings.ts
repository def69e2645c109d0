import { sql, type RawBuilder } from "kysely";
import type { AlertMessage } from "../../../shared/alert-rules.ts";
import {
  ALERT_FIRED,
  ERROR_REGRESSED,
  NEW_ERROR,
  SPIKE,
  type NotificationType,
} from "../../../shared/notifications.ts";
import type { Tx } from "../../db/connect.ts";
import { quoteTitle } from "../../inform/notify/message-parts.ts";
import type { NotifiedProject } from "../../inform/notify/notified-groups.ts";
import { notifyAboutGroups, type GroupNotice } from "../../inform/notify/notify-about-groups.ts";
import { planNewErrors, type NewErrorRecipient } from "../../inform/notify/summarize-new-errors.ts";
import type { ActiveRule } from "./active-rules.ts";
import type { Firing } from "./firing.ts";

/** The types of the entries of default rules. */
const DEFAULT_TYPES: Partial<Record<ActiveRule["kind"], NotificationType>> = {
  new_group: NEW_ERROR,
  regression: ERROR_REGRESSED,
  spike: SPIKE,
};

type RuleNotice = GroupNotice & { rule: ActiveRule };

/**
 * Creates the inbox entries and emails of firings in the project. `others` are notices that no rule decides about, with a query for
 * their recipients. New errors of the default rule that exceed what an inbox shows singly share an entry.
 */
export async function notifyOfFirings(
  tx: Tx,
  project: NotifiedProject,
  firings: Firing[],
  others: { notices: GroupNotice[]; recipients: RawBuilder<unknown> } = { notices: [], recipients: sql`` },
): Promise<void> {
  const notices = firings.map(noticeOf);
  const about = Map.groupBy(notices, ({ report }) => (report ? "report" : "error_group"));
  const { recipients: newErrors, summaries } = await planDefaultNewErrors(tx, project, notices);
  const errors = about.get("error_group") ?? [];
  // New errors first: the recipients of each are counted from the first.
  const ordered = [...errors.filter(isNewError), ...errors.filter((notice) => !isNewError(notice))];
  const recipients = [recipientsOf(project, ordered, newErrors)];
  if (others.notices.length > 0)
    recipients.push(sql`select n, user_id, true, true from (${others.recipients}) o (n, user_id)`);
  await notifyAboutGroups(tx, project, {
    notices: [...ordered, ...others.notices],
    recipients: sql.join(recipients, sql` union all `),
    summaries,
  });
  const reports = about.get("report") ?? [];
  await notifyAboutGroups(tx, project, {
    notices: reports,
    recipients: recipientsOf(project, reports, []),
    kind: "report",
  });
}

const isNewError = ({ type }: GroupNotice) => type === NEW_ERROR;

function noticeOf({ rule, subject, message }: Firing): RuleNotice {
  const defaultType = rule.is_default ? DEFAULT_TYPES[rule.kind] : undefined;
  return {
    rule,
    group: subject.kind === "error_group" ? subject.group : null,
    ...(subject.kind === "report" ? { report: { id: subject.id, title: subject.title } } : {}),
    type: defaultType ?? ALERT_FIRED,
    message: defaultType
      ? message
      : `Alert ${quoteTitle(rule.name)}: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`,
  };
}

const messagesOf = ({ then }: ActiveRule) =>
  then.filter((action): action is AlertMessage => action.to === "inbox" || action.to === "email");

/** A project has at most one default rule about new groups. */
async function planDefaultNewErrors(tx: Tx, project: NotifiedProject, notices: RuleNotice[]) {
  const newErrors = notices.filter(isNewError);
  const rule = newErrors[0]?.rule;
  if (!rule) return { recipients: [], summaries: [] };
  const messages = messagesOf(rule).map((action) => ({ n: 0, kind: rule.kind, ...wantedBy(action) }));
  const users = sql`
    select user_id, bool_or(by_email) from (${select(project, messages, sql`select 0 as n, null::bigint as group_id`)})
      r (n, user_id, in_inbox, by_email)
    group by user_id having bool_or(in_inbox)`;
  return planNewErrors(tx, project, newErrors.length, users);
}

/** New errors of the default rule get entries as planned in `newErrors`; users without an entry get only the email. */
function recipientsOf(
  project: NotifiedProject,
  notices: RuleNotice[],
  newErrors: NewErrorRecipient[],
): RawBuilder<unknown> {
  const wanted = notices.flatMap((notice, n) =>
    messagesOf(notice.rule)
      .filter(({ to }) => !isNewError(notice) || to === "email")
      .map((action) => ({ n, kind: notice.rule.kind, ...wantedBy(action) })),
  );
  return sql`
    select n, user_id, in_inbox, by_email from (${select(project, wanted, sql`select n, group_id from notice`)})
      r (n, user_id, in_inbox, by_email) join notice using (n)
    where type <> ${NEW_ERROR} or user_id <> all(${newErrors.map(({ user_id }) => user_id)}::bigint[])
    union all
    select n, user_id, true, by_email from notice
    join json_to_recordset(${JSON.stringify(newErrors)}) as s (user_id bigint, by_email boolean, single int)
      on n < s.single where type = ${NEW_ERROR}`;
}

type Wanted = ReturnType<typeof wantedBy> & { n: number; kind: ActiveRule["kind"] };

const wantedBy = ({ to, recipients = [], user_ids = [], team_ids = [] }: AlertMessage) => ({
  in_inbox: to === "inbox",
  by_email: to === "email",
  watchers: recipients.includes("watchers"),
  assignee: recipients.includes("assignee"),
  user_ids,
  team_ids,
});

/** Kinds whose watchers are those of the group only: they follow what becomes of it. */
const GROUP_WATCHERS_ONLY = ["regression", "snooze_ended"];

/**
 * Selects number, user, and whether they get an entry and an email. Watchers are those of the group and, unless the rule is about what
 * becomes of a group, those of the project. `notices` selects `n` and `group_id`.
 */
const select = (project: NotifiedProject, wanted: Wanted[], notices: RawBuilder<unknown>) => sql`
  with wanted as materialized (
    select w.*, notice.group_id from json_to_recordset(${JSON.stringify(wanted)}) as w (n int, kind text, in_inbox boolean,
      by_email boolean, watchers boolean, assignee boolean, user_ids bigint[], team_ids bigint[])
    join (${notices}) notice using (n)
  )
  select n, user_id, in_inbox, by_email from wanted, unnest(user_ids) user_id
  union all
  select n, m.user_id, in_inbox, by_email from wanted join team_members m on m.team_id = any(team_ids)
  union all
  select n, w.user_id, in_inbox, by_email from wanted join error_group_watchers w using (group_id) where watchers
  union all
  select n, w.user_id, in_inbox, by_email from wanted join report_watchers w on w.project_id = ${project.id}
  where watchers and kind <> all(${GROUP_WATCHERS_ONLY}::text[])
  union all
  select n, g.assignee_id, in_inbox, by_email from wanted join error_groups g on g.id = group_id
  where assignee and g.assignee_id is not null`;
