import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import type { Db, Tx } from "../db/connect.ts";
import { makeGitChanges } from "./git-changes.ts";
import { StartError } from "../config/start-error.ts";
import { putFiles } from "../files/storage/put-files.ts";
import type { Storage } from "../files/storage/storage.ts";
import { makeComments, type DemoComment } from "./comments.ts";
import { makeConversations } from "./conversations.ts";
import { drawFaces, drawReportPictures, type DrawnFile } from "./draw-pictures.ts";
import { makeErrorGroups } from "./error-groups.ts";
import { makeErrorWork, mergeGroups, type WorkedGroup } from "./error-group-work.ts";
import { type DemoIssue, makeActivity, makeIssues } from "./issues.ts";
import { fillInboxes } from "./fill-inboxes.ts";
import { linkErrorGroups, pickPromotedGroups } from "./promote-error-groups.ts";
import { makeMonitors } from "./monitors.ts";
import { makeAdministrator } from "./people.ts";
import { makeReleases } from "./project-releases.ts";
import { makeRules, makeUsage } from "./project-rules.ts";
import { saveProfilePictures } from "./save-profile-pictures.ts";
import { fork, type Random, seeded } from "./samples/seeded-random.ts";
import { attachPictures, type DemoReport, draftReports, makeReports } from "./reports.ts";
import { type DemoWorkspace, makeWorkspace, type ProjectSetup } from "./workspace.ts";

export type DemoSize = { groups: number; issues: number; reports: number };

export const FULL_SIZE: DemoSize = { groups: 500, issues: 300, reports: 120 };

type Options = {
  size: DemoSize;
  /** Fill the installation even if it has users. */
  anyway: boolean;
  dataDir: string;
  publicUrl: string;
  retentionDays: number;
  /** Called with a line of text after each part. */
  progress: (line: string) => void;
};

export type DemoFilled = { workspaceId: number; name: string; administratorId: number; isNew: boolean };

const SEED = 20_261_121;
const FACES = 8;

/**
 * Creates a workspace with a few months of sample work, in one transaction. The data is the same on every machine,
 * except for the dates, which are relative to now and to the weekday. In an installation without users, it also creates
 * the administrator. If there are users, it throws StartError unless `anyway` is set; then the first administrator gets
 * the workspace.
 */
export async function fillDemo(db: Db, storage: Storage, options: Options): Promise<DemoFilled> {
  const { size, progress } = options;
  const random = seeded(SEED);
  const uploads = path.join(options.dataDir, "attachments", "uploads");
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(uploads, "demo-"));
  try {
    await requireNoUsers(db, options.anyway);
    const pictures = await drawReportPictures(folder, Math.ceil(size.reports * 0.45), random);
    const faces = await drawFaces(folder, FACES, random);
    progress(`Drew ${pictures.length} pictures for reports and ${faces.length} profile pictures`);
    const files = [...pictures, ...faces.flatMap((face) => [face.avif, face.webp])];
    return await putFiles(storage, files, () =>
      db.transaction().execute((tx) => fill(tx, { ...options, random, pictures, faces })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Drawn = { random: Random; pictures: DrawnFile[]; faces: { avif: DrawnFile; webp: DrawnFile }[] };

async function fill(tx: Tx, options: Options & Drawn): Promise<DemoFilled> {
  const { random, progress, size } = options;
  await sql`set local statement_timeout = '1min'`.execute(tx);
  const { administratorId, isNew } = await findAdministrator(tx, options.anyway);
  const now = await readClock(tx);
  const workspace = await makeWorkspace(tx, administratorId, now, random);
  await saveProfilePictures(tx, workspace.people.slice(1), options.faces);
  progress(`Created ${workspace.people.length} users and ${workspace.projects.length} projects`);
  const filled: Contents = { issues: [], groups: [], reports: [], comments: [] };
  // Divide the total by three, the number of projects, without losing the remainder.
  for (const [index, setup] of workspace.projects.entries()) {
    const share = (of: number) => Math.floor((of * (index + 1)) / 3) - Math.floor((of * index) / 3);
    const part = { groups: share(size.groups), issues: share(size.issues), reports: share(size.reports) };
    await fillProject(tx, setup, { size: part, filled, options: { ...options, now } });
    progress(
      `${setup.project.name}: ${part.groups} error groups, ${part.issues} issues, ${part.reports} reports`,
    );
  }
  await attachPictures(tx, {
    reports: filled.reports,
    pictures: options.pictures,
    uploaderId: administratorId,
    random,
  });
  await addActivity(tx, workspace, filled, { ...options, now });
  return { workspaceId: workspace.id, name: workspace.name, administratorId, isNew };
}

type Contents = {
  issues: DemoIssue[];
  groups: WorkedGroup[];
  reports: DemoReport[];
  comments: DemoComment[];
};
type Filling = Options & Drawn & { now: number };

async function fillProject(
  tx: Tx,
  setup: ProjectSetup,
  { size, filled, options }: { size: DemoSize; filled: Contents; options: Filling },
) {
  const { now, retentionDays } = options;
  const random = fork(options.random);
  const groups = await makeErrorGroups(tx, {
    project: setup.template,
    projectId: setup.project.id,
    count: size.groups,
    now,
    retentionDays,
    resolvers: setup.people.slice(0, 5),
    reading: await makeRules(tx, setup),
    random: fork(random),
  });
  const promoted = await pickPromotedGroups(tx, setup, groups, { ...options, random: fork(random) });
  const { drafts, seeds } = draftReports(setup, { count: size.reports, groups, now, random: fork(random) });
  const issues = await makeIssues(tx, setup, {
    seeds: [...seeds, ...promoted.map((group) => group.seed)],
    count: size.issues,
    now,
    random: fork(random),
  });
  await linkErrorGroups(tx, promoted, issues.slice(seeds.length));
  const reports = await makeReports(tx, setup, { drafts, issues, random: fork(random) });
  await makeConversations(tx, setup, { reports, now });
  const worked = await makeErrorWork(tx, setup, { groups, now, random: fork(random) });
  filled.comments.push(
    ...(await makeComments(tx, setup, {
      issues,
      groups: worked,
      reports,
      now,
      random: fork(random),
    })),
  );
  const [administrator] = setup.people;
  const merged = await mergeGroups(tx, setup, {
    groups: worked,
    actorId: administrator?.id as number,
    retentionDays,
    now,
  });
  await makeReleases(tx, setup, merged, now);
  await makeGitChanges(tx, setup);
  await makeMonitors(tx, setup.project.id, now);
  await makeUsage(tx, setup.project.id, { groups: worked, now, random: fork(random) });
  filled.reports.push(...reports);
  filled.groups.push(...merged);
  filled.issues.push(...issues);
}

async function addActivity(
  tx: Tx,
  workspace: DemoWorkspace,
  filled: Contents,
  { now, random, progress }: Filling,
) {
  await makeActivity(tx, filled.issues);
  const entries = await fillInboxes(tx, workspace, { activity: filled, now, random });
  progress(`Created ${filled.comments.length} comments and ${entries} inbox entries`);
}

async function requireNoUsers(db: Db, anyway: boolean) {
  if (anyway) return;
  const user = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  if (user)
    throw new StartError(
      "This installation already has users. With --anyway, the demo becomes an additional workspace of the first administrator.",
    );
}

async function findAdministrator(
  tx: Tx,
  anyway: boolean,
): Promise<{ administratorId: number; isNew: boolean }> {
  // Prevents a concurrent first-run setup.
  if (!anyway) await sql`lock table users in share row exclusive mode`.execute(tx);
  await requireNoUsers(tx, anyway);
  const administrator = await tx
    .selectFrom("workspace_members")
    .select("user_id")
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .orderBy("user_id")
    .limit(1)
    .executeTakeFirst();
  return administrator
    ? { administratorId: administrator.user_id, isNew: false }
    : { administratorId: await makeAdministrator(tx), isNew: true };
}

/** The database's time in milliseconds since 1970. */
async function readClock(tx: Tx): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(tx);
  return rows[0]?.now as number;
}
