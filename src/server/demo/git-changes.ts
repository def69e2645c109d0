import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { pathSegments, topAppFile } from "../errors/groups/frame-paths.ts";
import { createConnection } from "../integrations/git/connections.ts";
import { actingAs, inTransaction } from "./in-transaction.ts";
import type { ProjectSetup } from "./workspace.ts";

/** Issues with a request, those of errors first. */
const ISSUES = 12;

/** Connects a Git host, with requests for issues in progress, merged ones for closed issues, and commits that may have caused errors. */
export async function makeGitChanges(tx: Tx, setup: ProjectSetup): Promise<void> {
  const { project, people } = setup;
  await actingAs(people[0]?.id as number, () =>
    createConnection(inTransaction(tx), "", {
      projectId: project.id,
      body: { host: "gitea", name: "Northwind Git", on_open: "doing" },
    }),
  );
  await tx
    .updateTable("projects")
    .set({ code_owners: `* @${people[1]?.username}\n*.ts @${people[2]?.username}\n` })
    .where("id", "=", project.id)
    .execute();
  const issues = await readIssues(tx, project.id);
  await insertChanges(tx, setup, [...issues.flatMap(requestOf), ...issues.flatMap(suspectOf)]);
}

type IssueWithFix = {
  id: number;
  number: number;
  title: string;
  is_done: boolean;
  author_name: string | null;
  at: string;
  release: string | null;
  group_id: number | null;
  stack_trace: string | null;
  caused_at: string | null;
};

async function readIssues(tx: Tx, projectId: number): Promise<IssueWithFix[]> {
  const { rows } = await sql<IssueWithFix>`
    select i.id, i.number, i.title, i.closed_at is not null as is_done, a.first_name || ' ' || a.last_name as author_name,
      coalesce(i.closed_at, i.updated_at) as at, g.id as group_id, g.stack_trace,
      (select r.version from releases r where r.project_id = i.project_id and r.first_seen_at > i.closed_at
        order by r.first_seen_at limit 1) as release,
      (select r.first_seen_at - interval '2 hours' from releases r
        where r.project_id = i.project_id and r.version = g.release) as caused_at
    from issues i join lanes l on l.id = i.lane_id
    left join users a on a.id = i.assignee_id
    left join lateral (
      select g.id, g.release, d.stack_trace from error_groups g join error_group_details d on d.group_id = g.id
      where g.linked_issue_id = i.id order by g.id limit 1
    ) g on true
    where i.project_id = ${projectId} and l.kind in ('doing', 'done')
    order by g.id is null, l.kind desc, coalesce(i.closed_at, i.updated_at) desc, i.id limit ${ISSUES}`.execute(
    tx,
  );
  return rows;
}

type Change = {
  kind: "commit" | "request";
  ref: string;
  title: string;
  author_name: string | null;
  state: string | null;
  review: string | null;
  checks: string | null;
  release: string | null;
  head_hash: string;
  files: string[];
  at: string;
  pushed: boolean;
  issue_id: number | null;
  group_id: number | null;
};

const hashOf = (text: string) => createHash("sha1").update(text).digest("hex");

/** A closed issue has been fixed by a merged request and its commit. */
function requestOf(issue: IssueWithFix): Change[] {
  const { id, number, title, is_done, author_name, at, release, group_id } = issue;
  const hash = hashOf(`fix ${id}`);
  const shared = { author_name, head_hash: hash, files: [], at, issue_id: id, group_id, title };
  const request: Change = {
    ...shared,
    kind: "request",
    ref: String(400 + number),
    state: is_done ? "merged" : number % 3 === 0 ? "draft" : "open",
    review: is_done ? "approved" : number % 2 === 0 ? "requested" : null,
    checks: is_done ? "passing" : number % 5 === 0 ? "failing" : "pending",
    release,
    pushed: false,
  };
  if (!is_done) return [request];
  const commit = { state: null, review: null, checks: "passing", release, pushed: true };
  return [request, { ...shared, ...commit, kind: "commit", ref: hash }];
}

/** A commit that changed the file of the error before the release that brought it. */
function suspectOf({ group_id, stack_trace, caused_at, author_name }: IssueWithFix): Change[] {
  const file = stack_trace === null ? null : topAppFile(stack_trace);
  if (file === null || caused_at === null) return [];
  const path = pathSegments(file).slice(-2).join("/");
  const hash = hashOf(`cause ${group_id}`);
  return [
    {
      kind: "commit",
      ref: hash,
      title: `Simplify ${path.split("/").at(-1)}`,
      author_name,
      state: null,
      review: null,
      checks: "passing",
      release: null,
      head_hash: hash,
      files: [path],
      at: caused_at,
      pushed: true,
      issue_id: null,
      group_id: null,
    },
  ];
}

async function insertChanges(tx: Tx, { project, template }: ProjectSetup, changes: Change[]): Promise<void> {
  const repository = new URL(template.repository).pathname.slice(1);
  await sql`
    with change as materialized (
      select *, row_number() over (order by at, ref) as position from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as c (kind text, ref text, title text, author_name text, state text, review text, checks text, release text,
          head_hash text, files jsonb, at timestamptz, pushed boolean, issue_id bigint, group_id bigint)
    ),
    inserted as (
      insert into git_changes (project_id, kind, host, repository, ref, title, url, author_name, state, review, checks, release,
        head_hash, merge_hash, files, position, pushed_at, changed_at, created_at)
      select ${project.id}, kind, 'gitea', ${repository}, ref, title,
        ${template.repository} || case kind when 'commit' then '/commit/' else '/pulls/' end || ref, author_name, state, review,
        checks, release, head_hash, case state when 'merged' then head_hash end, array(select jsonb_array_elements_text(files)),
        case when pushed then position end, case when pushed then at end, case kind when 'request' then at end, at
      from change order by position
      returning id, kind, ref
    )
    insert into git_links (change_id, issue_id, group_id, closes)
    select i.id, named.issue_id, named.group_id, true from inserted i join change c using (kind, ref)
    cross join lateral (
      select c.issue_id, null::bigint as group_id where c.issue_id is not null
      union all select null, c.group_id where c.group_id is not null
    ) named`.execute(tx);
}
