import type { Tx } from "../../db/connect.ts";
import type { DemoIssue } from "./issues.ts";
import { COMMENTS, REPLIES } from "./issue-and-comment-texts.ts";
import { at, DAY, HOUR } from "./times.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./seeded-random.ts";
import type { ProjectSetup } from "./workspace.ts";

export type DemoComment = {
  id: number;
  /** Either an issue or an epic is set. */
  issue: DemoIssue | undefined;
  epicId: number | undefined;
  parent: DemoComment | undefined;
  author: DemoPerson;
  mentioned: DemoPerson | undefined;
  content: string;
  at: number;
  isPinned: boolean;
};

type Draft = Omit<DemoComment, "id" | "parent">;

/** Makes comments on most issues and epics, with replies, mentions, likes and at most one pinned comment each. */
export async function makeComments(
  tx: Tx,
  setup: ProjectSetup,
  issues: DemoIssue[],
  now: number,
  random: Random,
): Promise<DemoComment[]> {
  const targets = [
    ...issues.map((issue) => ({ issue, epicId: undefined, since: issue.createdAt })),
    ...setup.epicIds.map((epicId) => ({ issue: undefined, epicId, since: now - 60 * DAY })),
  ];
  const commenters = setup.people.slice(0, 8);
  const drafts = targets.flatMap(({ since, ...target }) =>
    Array.from({ length: random.pick([0, 1, 1, 2, 3, 5]) }, (_, index) => ({
      ...target,
      ...pickText(COMMENTS, commenters, random),
      at: since + HOUR + Math.floor(random.fraction() * (now - since - HOUR)),
      isPinned: index === 0 && random.chance(0.12),
    })),
  );
  const roots = await insert(
    tx,
    setup,
    drafts.toSorted(inTime).map((draft) => ({ ...draft, parent: undefined })),
  );
  const replies = roots.flatMap((parent) =>
    Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => ({
      issue: parent.issue,
      epicId: parent.epicId,
      parent,
      ...pickText(REPLIES, commenters, random),
      at: parent.at + Math.floor(random.fraction() * Math.min(2 * DAY, now - parent.at)),
      isPinned: false,
    })),
  );
  const comments = [...roots, ...(await insert(tx, setup, replies.toSorted(inTime)))];
  await addLikes(tx, comments, setup.people, random);
  return comments;
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
