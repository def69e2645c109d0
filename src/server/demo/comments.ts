import type { Tx } from "../db/connect.ts";
import type { DemoIssue } from "./issues.ts";
import type { WorkedGroup } from "./error-group-work.ts";
import { COMMENTS, ERROR_COMMENTS, REPLIES, REPORT_COMMENTS } from "./samples/issue-and-comment-texts.ts";
import type { DemoReport } from "./reports.ts";
import { at, DAY } from "./times.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./samples/seeded-random.ts";
import type { ProjectSetup } from "./workspace.ts";

/** Exactly one of them is set. */
type Target = {
  issue?: DemoIssue;
  epicId?: number;
  group?: WorkedGroup;
  report?: DemoReport;
};

export type DemoComment = Target & {
  id: number;
  parent: DemoComment | undefined;
  author: DemoPerson;
  mentioned: DemoPerson | undefined;
  content: string;
  at: number;
  isPinned: boolean;
};

type Draft = Omit<DemoComment, "id" | "parent">;

type Commented = { issues: DemoIssue[]; groups: WorkedGroup[]; reports: DemoReport[] };

/**
 * Makes comments on most issues and epics and on some errors and reports, with replies, mentions, likes and at most one
 * pinned comment each.
 */
export async function makeComments(
  tx: Tx,
  setup: ProjectSetup,
  { issues, groups, reports, now, random }: Commented & { now: number; random: Random },
): Promise<DemoComment[]> {
  const targets = [
    ...issues.map((issue) => ({ issue, since: issue.createdAt, most: [0, 1, 1, 2, 3, 5], texts: COMMENTS })),
    ...setup.epicIds.map((epicId) => ({
      epicId,
      since: now - 60 * DAY,
      most: [0, 1, 1, 2, 3, 5],
      texts: COMMENTS,
    })),
    ...groups
      .filter(({ story }) => story === undefined)
      .map((group) => ({ group, since: group.first, most: [0, 0, 0, 0, 1, 2], texts: ERROR_COMMENTS })),
    ...reports.map((report) => ({
      report,
      since: report.createdAt,
      most: [0, 0, 0, 1],
      texts: REPORT_COMMENTS,
    })),
  ];
  const commenters = setup.people.slice(0, 8);
  const drafts = targets.flatMap(({ since, most, texts, ...target }) =>
    Array.from({ length: random.pick(most) }, (_, index) => ({
      ...target,
      ...pickText(texts, commenters, random),
      at: since + Math.floor(random.fraction() * (now - since)),
      isPinned: index === 0 && random.chance(0.12),
    })),
  );
  const written = groups.flatMap((group) => storyComments(group, commenters, now));
  const roots = await insert(
    tx,
    setup,
    [...drafts, ...written.map(([root]) => root)]
      .toSorted(inTime)
      .map((draft) => ({ ...draft, parent: undefined })),
  );
  const replies = roots.flatMap((parent) => {
    const { issue, epicId, group, report } = parent;
    const answers = written.find(([root]) => root.content === parent.content)?.slice(1);
    if (answers) return answers.map((answer) => ({ ...answer, parent }));
    return Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => ({
      ...(issue && { issue }),
      ...(epicId !== undefined && { epicId }),
      ...(group && { group }),
      ...(report && { report }),
      parent,
      ...pickText(REPLIES, commenters, random),
      at: parent.at + Math.floor(random.fraction() * Math.min(2 * DAY, now - parent.at)),
      isPinned: false,
    }));
  });
  const comments = [...roots, ...(await insert(tx, setup, replies.toSorted(inTime)))];
  await addLikes(tx, comments, setup.people, random);
  return comments;
}

/** The story's thread: its first comment and the replies to it. People take turns, beginning with the assignee. */
function storyComments(group: WorkedGroup, people: DemoPerson[], now: number): [Draft, ...Draft[]][] {
  const { story, first, resolvedAt, assignment } = group;
  if (!story?.comments || group.isMerged) return [];
  const author = (assignment?.to ?? people[0]) as DemoPerson;
  const other = people.find((person) => person !== author) as DemoPerson;
  const until = resolvedAt !== null && group.status === 1 ? resolvedAt : now;
  const [root, ...replies] = story.comments.map((content, index): Draft => {
    const mentioned = content.includes("{name}") ? (index % 2 === 0 ? other : author) : undefined;
    return {
      group,
      author: index % 2 === 0 ? author : other,
      content: content.replaceAll("{name}", mentioned?.username ?? ""),
      mentioned,
      at: Math.floor(until - (until - first) * (0.1 - 0.03 * index)),
      isPinned: false,
    };
  });
  return root ? [[root, ...replies]] : [];
}

const inTime = (a: { at: number }, b: { at: number }) => a.at - b.at;

function pickText(
  texts: string[],
  people: DemoPerson[],
  random: Random,
): Pick<Draft, "author" | "content" | "mentioned"> {
  const author = random.pick(people);
  const text = random.pick(texts);
  if (!text.includes("{name}")) return { author, content: text, mentioned: undefined };
  const mentioned = random.pick(people.filter((person) => person !== author));
  return { author, content: text.replaceAll("{name}", mentioned.username), mentioned };
}

async function insert(
  tx: Tx,
  { project }: ProjectSetup,
  drafts: Omit<DemoComment, "id">[],
): Promise<DemoComment[]> {
  if (drafts.length === 0) return [];
  const rows = await tx
    .insertInto("comments")
    .values(
      drafts.map((draft) => ({
        project_id: project.id,
        issue_id: draft.issue?.id ?? null,
        epic_id: draft.epicId ?? null,
        error_group_id: draft.group?.id ?? null,
        report_id: draft.report?.id ?? null,
        parent_id: draft.parent?.id ?? null,
        user_id: draft.author.id,
        content: draft.content,
        is_pinned: draft.isPinned,
        created_at: at(draft.at),
      })),
    )
    .returning("id")
    .execute();
  return drafts.map((draft, index) => ({ ...draft, id: rows[index]?.id as number }));
}

async function addLikes(tx: Tx, comments: DemoComment[], people: DemoPerson[], random: Random) {
  const likes = comments.flatMap(({ id, author }) =>
    random
      .some(
        people.filter((person) => person !== author),
        random.pick([0, 0, 0, 1, 2, 4]),
      )
      .map((person) => ({ comment_id: id, user_id: person.id })),
  );
  if (likes.length > 0) await tx.insertInto("comment_likes").values(likes).execute();
}
