import { KEPT, OWN_PROJECTS, type Sizes } from "./sizes.ts";

export type Step = [name: string, statement: string];

/**
 * The statements that fill an installation, with a name for each: first of all, then two parts side by side, each in a
 * session of its own after `prepare`, and the last ones. They run without triggers and foreign keys, which would take longer than the
 * rows themselves, so they also write what triggers would.
 *
 * Project 1 is the largest. The sizes of projects fall with the square root of their number, so that the project at a quarter
 * of them has the average size. User 1 is the administrator, user 2 the measured member.
 */
export const fillSteps = (sizes: Sizes) => ({
  first: [...TEXTS, ...organization(sizes)],
  prepare: [...TEXTS, CREWS],
  parts: [work(sizes), errors(sizes)],
  last: [LINKS, OPEN_COUNTS, SEQUENCES],
});

/** A number from 0 to 1 that depends only on `n` and on the purpose, so that all runs have the same data. */
const random = (n: string, purpose: number) =>
  `(((hashint8extended((${n})::bigint, ${purpose}) >> 16) & 16777215) / 16777216.0::double precision)`;

const oneOf = (array: string, n: string, purpose: number) =>
  `${array}[1 + floor(cardinality(${array}) * ${random(n, purpose)})::int]`;

const projectOf = (n: string, purpose: number, { projects }: Sizes) =>
  `(1 + floor(${projects} * ${random(n, purpose)} ^ 2)::bigint)`;

/** Joins a random sentence or word. PostgreSQL joins by hash, which is much faster than a function for each row. */
const sentence = (alias: string, n: string, purpose: number) =>
  `join sentences ${alias} on ${alias}.n = floor(${SENTENCES} * ${random(n, purpose)})::int`;
const word = (alias: string, n: string, purpose: number) =>
  `join words ${alias} on ${alias}.n = floor(${WORDS} ^ ${random(n, purpose)})::int - 1`;

const WORDS = 8_000;
const SENTENCES = 4_096;

const TEXTS: Step[] = [
  [
    "words, of which few are common and many are rare",
    `create temp table words as
     select n, s[1 + n % 20] || 'n' || s[1 + n / 20 % 20] || 'r' || s[1 + n / 400 % 20] as text
     from generate_series(0, ${WORDS - 1}) n, string_to_array('ba co di fu ga he ki lo mu na po qui ra se ti vu wa xe yo za', ' ') s`,
  ],
  [
    "sentences",
    `create temp table sentences as
     select id as n, string_agg(w.text, ' ' order by at) as text
     from generate_series(0, ${SENTENCES - 1}) id cross join lateral generate_series(1, 6 + id % 5) at ${word("w", "id * 16 + at", 1)}
     group by id`,
  ],
  [
    "traces of half a kilobyte, and breadcrumbs",
    `create temp table traces as
     select n, (select string_agg('#' || line || ' /var/www/app/src/Place' || n || '/Handler' || line || '.php(' || line * 7
         || '): App\\Place' || n || '\\Handler' || line || '->go()', chr(10)) from generate_series(0, 6) line) as trace,
       json_build_object('breadcrumbs', (select json_agg(json_build_object('message', 'GET /place/' || b, 'category', 'http',
         'level', 'info', 'type', null, 'timestamp', null, 'data', null)) from generate_series(1, 2) b), 'request', null,
         'contexts', '{}'::json, 'extra', '{}'::json, 'frames', '[]'::json, 'truncated', '[]'::json, 'removed', '{}'::json)::text
         as additions
     from generate_series(0, 63) n`,
  ],
  ["statistics", "analyze words; analyze sentences; analyze traces"],
];

const CREWS: Step = [
  "people of projects, and projects of people",
  `create temp table crews as select project_id, array_agg(user_id order by user_id) as users from project_members group by 1;
   create temp table own as select user_id, array_agg(project_id order by project_id) as projects from project_members group by 1;
   analyze crews; analyze own`,
];

function organization(sizes: Sizes): Step[] {
  const { projects, people } = sizes;
  const teams = Math.max(1, Math.floor(people / 50));
  const projectByNumber = (n: string, purpose: number) =>
    `1 + floor(${projects} * ${random(n, purpose)})::bigint`;
  return [
    [
      "users",
      `insert into users (id, username, email, first_name, last_name) overriding system value
       select id, 'user' || id, 'user' || id || '@example.com', initcap(a.text), initcap(b.text)
       from generate_series(2, ${people}) id ${word("a", "id", 2)} ${word("b", "id", 3)}`,
    ],
    [
      "members of the workspace",
      `insert into workspace_members (workspace_id, user_id, is_admin)
       select 1, id, id % 1000 = 3 from generate_series(2, ${people}) id`,
    ],
    [
      "projects",
      `insert into projects (id, workspace_id, key, name, description) overriding system value
       select id, 1, 'P' || id, 'Project ' || id, d.text from generate_series(1, ${projects}) id ${sentence("d", "id", 4)}`,
    ],
    [
      "lanes",
      `insert into lanes (id, project_id, name, kind, position) overriding system value
       select (p - 1) * 4 + lane, p, initcap(kind), kind, lane - 1 from generate_series(1, ${projects}) p,
         unnest(array['backlog', 'todo', 'doing', 'done']) with ordinality as lanes (kind, lane)`,
    ],
    [
      "labels",
      `insert into labels (id, project_id, name, color) overriding system value
       select (p - 1) * 8 + n, p, 'label ' || n, '#1f6feb' from generate_series(1, ${projects}) p, generate_series(1, 8) n`,
    ],
    [
      "sprints",
      `insert into sprints (id, project_id, name, state, starts_on, ends_on) overriding system value
       select (p - 1) * 6 + n, p, 'Sprint ' || n, case when n < 5 then 'closed' when n = 5 then 'active' else 'planned' end,
         current_date + (n - 5) * 14, current_date + (n - 5) * 14 + 13
       from generate_series(1, ${projects}) p, generate_series(1, 6) n`,
    ],
    [
      "epics",
      `insert into epics (id, project_id, title, description, state, created_by) overriding system value
       select (p - 1) * 10 + m, p, t.text, d.text, case when m < 5 then 'done' else 'open' end, 1
       from generate_series(1, ${projects}) p cross join generate_series(1, 10) m
       ${sentence("t", "p * 10 + m", 5)} ${sentence("d", "p * 10 + m", 6)}`,
    ],
    [
      "members of projects, who are in 5 to 20 of them",
      `insert into project_members (project_id, workspace_id, user_id, role_id)
       select distinct ${projectByNumber("u * 32 + n", 7)}, 1, u, (select id from roles where name = 'Member')
       from generate_series(3, ${people}) u cross join lateral generate_series(1, 5 + floor(16 * ${random("u", 8)} ^ 2)::int) n
       union all
       select distinct greatest(1, round((k + 0.5) / ${OWN_PROJECTS} * ${projects}))::bigint, 1, 2,
         (select id from roles where name = 'Member')
       from generate_series(0, ${OWN_PROJECTS - 1}) k`,
    ],
    [
      "teams",
      `insert into teams (id, workspace_id, name) overriding system value
       select n, 1, 'Team ' || n from generate_series(1, ${teams}) n`,
    ],
    [
      "members of teams",
      `insert into team_members (team_id, workspace_id, user_id)
       select 1 + u / 3 % ${teams}, 1, u from generate_series(3, ${people}, 3) u`,
    ],
    [
      "projects of teams",
      `insert into project_teams (project_id, workspace_id, team_id, role_id)
       select distinct ${projectByNumber("t * 4 + n", 9)}, 1, t, (select id from roles where name = 'Viewer')
       from generate_series(1, ${teams}) t, generate_series(1, 2) n`,
    ],
    [
      "releases",
      `insert into releases (id, project_id, version_hash, version, first_seen_at) overriding system value
       select (p - 1) * 20 + n, p, sha256(('1.' || n || '.0')::bytea), '1.' || n || '.0', now() - (21 - n) * interval '4 days'
       from generate_series(1, ${projects}) p, generate_series(1, 20) n`,
    ],
    [
      "counts of releases",
      "insert into release_counts (release_id, slot, events, new_groups) select id, 0, 1000, 50 from releases",
    ],
    [
      "usage of projects",
      `insert into project_usage (project_id, day, accepted, kept, limited, invalid, filtered, duplicate, discarded)
       select p, current_date - d, 1000, 50, 0, 1, 2, 0, 0 from generate_series(1, ${projects}) p, generate_series(0, 29) d`,
    ],
  ];
}

function work(sizes: Sizes): Step[] {
  const { issues, people } = sizes;
  const reports = Math.round(issues / 20);
  const comments = Math.round((issues * 2) / 5);
  const notifications = people * 100;
  return [
    [
      "issues",
      `insert into issues (id, project_id, number, title, description, type, priority, lane_id, rank, assignee_id, created_by,
         epic_id, sprint_id, due_on, created_at, updated_at, closed_at) overriding system value
       select id, p, row_number() over (partition by p order by id),
         t.text || case when id % 2 = 0 then ' import' else ' export' end,
         'Signalbox ' || a.text || ' ' || b.text
           || case when id % 5000 = 7 then ' zeppelin' else '' end || case when id % 100 = 8 then ' mammoth' else '' end,
         case when id % 4 = 0 then 1 else 0 end, floor(5 * ${random("id", 10)}), (p - 1) * 4 + lane, 'h' || lpad(id::text, 8, '0'),
         case when ${random("id", 11)} < 0.7 then ${oneOf("users", "id", 12)} end, ${oneOf("users", "id", 13)},
         case when id % 3 = 0 then (p - 1) * 10 + 1 + id % 10 end, case when id % 5 = 0 then (p - 1) * 6 + 1 + id % 6 end,
         case when id % 10 = 0 then current_date + (id % 60)::int - 20 end, at,
         at + (now() - at) * ${random("id", 14)}, case when lane = 4 then at + (now() - at) * ${random("id", 14)} end
       from generate_series(1, ${issues}) id
       cross join lateral (select ${projectOf("id", 15, sizes)} as p,
         now() - (${issues} - id) * (interval '700 days' / ${issues}) as at, ${random("id", 16)} as where_it_is) x
       cross join lateral (select case when where_it_is < 0.65 then 4 when where_it_is < 0.85 then 1
         when where_it_is < 0.95 then 2 else 3 end as lane) y
       ${sentence("t", "id", 17)} ${sentence("a", "id", 18)} ${sentence("b", "id", 19)}
       left join crews on crews.project_id = p order by id`,
    ],
    [
      "numbers of issues",
      `update projects set last_issue_number = made.most
       from (select project_id, max(number) as most from issues group by 1) made where id = made.project_id;
       analyze issues; analyze projects`,
    ],
    [
      "labels of issues",
      `insert into issue_labels (project_id, issue_id, label_id)
       select project_id, id, (project_id - 1) * 8 + 1 + id % 8 from issues where id % 3 <> 0`,
    ],
    [
      "watchers of issues",
      `insert into issue_watchers (issue_id, user_id)
       select id, created_by from issues where created_by is not null
       union select id, assignee_id from issues where assignee_id is not null`,
    ],
    [
      "history of issues",
      `insert into issue_activity (issue_id, project_id, actor_id, kind, "from", "to", created_at)
       select id, project_id, created_by, 'priority', '2', '1', created_at + (updated_at - created_at) * n / 2
       from issues, generate_series(1, 2) n`,
    ],
    [
      "comments",
      `insert into comments (project_id, issue_id, user_id, content, created_at)
       select i.project_id, i.id, coalesce(i.assignee_id, i.created_by, 1), 'Signalbox ' || a.text || ' ' || b.text,
         i.created_at + (now() - i.created_at) * ${random("c", 21)}
       from generate_series(1, ${comments}) c
       join issues i on i.id = 1 + floor(${issues} * ${random("c", 22)})::bigint ${sentence("a", "c", 23)} ${sentence("b", "c", 24)}
       order by c`,
    ],
    [
      "reports",
      `insert into reports (project_id, title, description, source, rank, created_by, promoted_at, dismissed_at, dismiss_reason,
         created_at, updated_at)
       select p, t.text, 'Signalbox ' || a.text || ' ' || b.text, 1, 'h' || lpad(r::text, 8, '0'), 1,
         case when r % 5 < 2 then at end, case when r % 5 in (2, 3) then at end,
         case when r % 5 in (2, 3) then 'not-planned' end, at, at
       from generate_series(1, ${reports}) r
       cross join lateral (select ${projectOf("r", 25, sizes)} as p,
         now() - (${reports} - r) * (interval '300 days' / ${reports}) as at) x
       ${sentence("t", "r", 26)} ${sentence("a", "r", 27)} ${sentence("b", "r", 28)} order by r`,
    ],
    [
      "watchers of reports",
      `insert into report_watchers (project_id, workspace_id, user_id)
       select project_id, workspace_id, user_id from project_members where user_id % 10 = 2`,
    ],
    [
      "notifications",
      `insert into notifications (user_id, type, message, actor_id, workspace_id, project_id, issue_id, issue_key, issue_title,
         read_at, created_at)
       select u, 2, 'Ada Moss commented on P' || p.id || '-' || i.number, 1, 1, p.id, i.id, 'P' || p.id || '-' || i.number,
         i.title, case when ${random("n", 29)} < 0.7 then now() end,
         now() - (${notifications} - n) * (interval '80 days' / ${notifications})
       from generate_series(1, ${notifications}) n cross join lateral (select 2 + n % ${people - 1} as u) x
       join own on own.user_id = u join projects p on p.id = ${oneOf("own.projects", "n", 30)}
       join issues i on i.project_id = p.id and i.number = 1 + floor(p.last_issue_number * ${random("n", 31)})::int
       order by n`,
    ],
  ];
}

function errors(sizes: Sizes): Step[] {
  const { groups } = sizes;
  return [
    [
      "error groups",
      `insert into error_groups (id, project_id, environment, key, exception_class, release, last_release, latest_message,
         context_kind, context_label, occurrence_count, daily_counts, status, resolved_at, resolved_by_id, verified_at,
         regressed_at, reopen_count, assignee_id, level, first_seen_at, last_seen_at, last_seen_span,
         updated_at, last_kept_at, span_count)
       select id, p, case when id % 5 = 0 then 'staging' else 'production' end, sha256(id::text::bytea),
         'App\\' || initcap(area.text) || '\\'
           || case when id % 500 = 3 then 'NotFoundHttp' else initcap(what.text) || initcap(why.text) end || 'Exception',
         '1.' || first_release || '.0', '1.' || least(20, first_release + id % 3) || '.0', message.text || ' in place ' || id,
         'route', 'GET /place/{id}', events, array[least(events, 40)::int] || recent || array_fill(0, array[70]),
         status, case when status = 1 then last_at + (now() - last_at) / 2 end, case when status = 1 then 1 end,
         case when status = 1 and id % 5 > 0 then now() end, case when status = 0 and id % 50 = 1 then last_at end,
         case when status = 0 and id % 50 = 1 then 1 else 0 end, case when id % 10 = 1 then ${oneOf("users", "id", 32)} end,
         case when id % 20 = 3 then 'warning' when id % 100 = 7 then 'fatal' else 'error' end,
         first_at, last_at, date_bin('10 minutes', last_at, 'epoch'), last_at, last_at, least(events, 3)
       from generate_series(1, ${groups}) id
       cross join lateral (select ${projectOf("id", 33, sizes)} as p, now() - interval '85 days' * ${random("id", 34)} ^ 2 as last_at,
         case when id % 1000 = 0 then 5000 else 1 + floor(3 / (${random("id", 35)} + 0.0005))::bigint end as events,
         ${random("id", 36)} as state, 1 + id % 20 as first_release) x
       cross join lateral (select last_at - (interval '89 days' - (now() - last_at)) * ${random("id", 37)} as first_at,
         case when state < 0.6 then 0 when state < 0.9 then 1 else 2 end as status,
         array_fill((events / 40)::int, array[19]) as recent) y
       ${word("area", "id", 38)} ${word("what", "id", 39)} ${word("why", "id", 40)} ${sentence("message", "id", 41)}
       left join crews on crews.project_id = p
       order by last_at`,
    ],
    [
      "classes",
      `insert into error_group_classes (group_id, project_id, exception_class)
       select id, project_id, exception_class from error_groups; analyze error_groups`,
    ],
    [
      "details",
      `insert into error_group_details (group_id, stack_trace, previous_exceptions, event, received_at, reason, level, release,
         host, message, tags, additions, runtime_name, runtime_version)
       select g.id, t.trace, '[]', ${KEPT + 1} * g.id + ${KEPT}, g.last_seen_at, 1, g.level, g.last_release, 'web-' || g.id % 8,
         g.latest_message, ${TAGS}, t.additions, 'php', '8.4.1'
       from error_groups g join traces t on t.n = g.id % 64`,
    ],
    [
      "messages of groups",
      `insert into error_group_messages (group_id, project_id, message, is_cut)
       select id, project_id, latest_message, false from error_groups;
       insert into error_group_messages_progress (indexed_until) values (now())`,
    ],
    [
      "locations of groups",
      `insert into error_group_locations (group_id, project_id, label, frames, trace_hash)
       select g.id, g.project_id, coalesce(g.context_label, ''), 'total src/order-' || g.id % 5000 || '.js', 0 from error_groups g;
       insert into error_group_locations_progress (indexed_until) values (now())`,
    ],
    [
      "releases of groups",
      `insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
       select id, sha256(release::bytea), release, greatest(1, occurrence_count / 2), first_seen_at, last_seen_at
       from error_groups
       union all
       select id, sha256(last_release::bytea), last_release, occurrence_count / 2, first_seen_at, last_seen_at
       from error_groups where last_release <> release`,
    ],
    [
      "hosts of groups",
      `insert into error_group_hosts (group_id, name, count, last_seen_at)
       select id, 'web-' || (id + n) % 8, greatest(1, occurrence_count / 2), last_seen_at
       from error_groups, generate_series(0, 1) n`,
    ],
    [
      "users of groups",
      `insert into error_group_users (group_id, user_hash, last_seen_at)
       select id, sha256((id * 1000 + u)::text::bytea), last_seen_at - (last_seen_at - first_seen_at) * (u - 1) / ${USERS}
       from error_groups cross join lateral generate_series(1, ${USERS}) u`,
    ],
    [
      "counts of groups",
      `insert into error_group_counts (group_id, project_id, users, users_seen_since, releases, hosts)
       select id, project_id, ${USERS}, first_seen_at, case when last_release <> release then 2 else 1 end, 2 from error_groups`,
    ],
    [
      "tags of groups",
      `insert into error_group_tags (project_id, tag_hash, group_id, seen_before)
       select g.project_id, hashtextextended(t.key || ':' || t.value, 0), g.id,
         date_bin('6 hours', g.last_seen_at, 'epoch') + interval '6 hours'
       from error_groups g cross join lateral jsonb_each_text(${TAGS}) t order by 1, 2, 3;
       insert into error_group_tags_progress (indexed_until) values (now());
       update error_group_tag_times_progress set indexed_until = now()`,
    ],
    ["partitions of kept events", PARTITIONS],
    [
      "kept events in the order of their time",
      `insert into error_events (id, group_id, received_at, reason, has_feedback, event_id, level, release, host, message,
         stack_trace, previous_exceptions, tags, additions, runtime_name, runtime_version)
       select ${KEPT + 1} * g.id + e, g.id, at, 1, false,
         case when (g.id + e) % 4 = 0 then md5(g.id || '-' || e)::uuid end, level, release, 'web-' || (g.id + e) % 8,
         latest_message, t.trace, '[]', ${TAGS}, t.additions, 'php', '8.4.1'
       from (
         select id, e, last_seen_at - (last_seen_at - first_seen_at) * (${KEPT} - e) / ${KEPT + 1} as at, level, release, latest_message
         from error_groups cross join lateral generate_series(greatest(0, ${KEPT} + 1 - occurrence_count), ${KEPT} - 1) e
         order by at
       ) g join traces t on t.n = (g.id + e) % 64`,
    ],
    [
      "ids of events",
      `insert into error_event_ids (project_id, event_id, group_id, received_at)
       select g.project_id, e.event_id, e.group_id, e.received_at from error_events e join error_groups g on g.id = e.group_id
       where e.event_id is not null and e.received_at > now() - interval '7 days'`,
    ],
  ];
}

const TAGS = `jsonb_build_object('shop', (g.id % 200)::text, 'browser', 'Firefox ' || g.id % 8)`;

/** One group in 1,000 has many users. */
const USERS = "(case when id % 1000 = 0 then 500 else least(occurrence_count, 4) end)::int";

/** The server creates only partitions for this month and later ones. */
const PARTITIONS = `
  do $$
  declare month timestamp;
  begin
    for month in select generate_series(date_trunc('month', now() - interval '91 days'), now(), '1 month') loop
      if to_regclass('error_events_' || to_char(month, 'YYYY_MM')) is null then
        execute format('create table error_events_%s partition of error_events for values from (%L) to (%L)',
          to_char(month, 'YYYY_MM'), month || 'Z', (month + interval '1 month') || 'Z');
      end if;
    end loop;
  end $$`;

const LINKS: Step = [
  "links from groups to issues",
  `update error_groups g set linked_issue_id = i.id, linked_at = i.created_at from issues i
   where g.id % 50 = 4 and i.project_id = g.project_id and i.number = 1 + g.id / 50 % 100`,
];

const OPEN_COUNTS: Step = [
  "numbers of open errors and issues",
  `insert into open_counts (project_id, open_errors, regressed_errors, open_issues)
   select p.id, g.open, g.regressed, i.open from projects p
   cross join lateral (
     select count(*) as open, count(regressed_at) as regressed from error_groups where project_id = p.id and status = 0) g
   cross join lateral (select count(*) as open from issues where project_id = p.id and closed_at is null) i`,
];

/** Continue after the rows that were inserted with their ids. */
const SEQUENCES: Step = [
  "sequences",
  `
  do $$
  declare of_table text;
  begin
    for of_table in select c.table_name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name = 'id' and c.is_identity = 'YES' and c.data_type = 'bigint'
    loop
      execute format('select setval(pg_get_serial_sequence(%L, ''id''), greatest(1, (select max(id) from %I)))', of_table, of_table);
    end loop;
    perform setval('error_events_id_seq', (select max(event) from error_group_details));
  end $$`,
];
