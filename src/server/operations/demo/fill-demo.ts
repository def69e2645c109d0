import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { StartError } from "../../config/start-error.ts";
import { putFiles } from "../../files/storage/put-files.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { makeDiscussions, type DemoComment } from "./discussions.ts";
import { drawFaces, drawReportPictures, type DrawnFile } from "./drawings.ts";
import { makeErrorGroups } from "./error-groups.ts";
import { type DemoIssue, makeActivity, makeIssues } from "./issues.ts";
import { fillInboxes } from "./inbox.ts";
import { linkErrorGroups, promotedGroups } from "./linked-errors.ts";
import { makeAdministrator } from "./people.ts";
import { givePictures } from "./profile-pictures.ts";
import { forked, type Random, seeded } from "./random.ts";
import { attachPictures, type DemoReport, draftReports, makeReports } from "./reports.ts";
import { type DemoWorkspace, makeWorkspace, type Place } from "./workspace.ts";

export type DemoSize = { groups: number; issues: number; reports: number };

export const FULL_SIZE: DemoSize = { groups: 500, issues: 300, reports: 120 };

type Options = {
  size: DemoSize;
  /** Also beside what is there already. */
  anyway: boolean;
  dataDir: string;
  publicUrl: string;
  retentionDays: number;
  /** Called with a line for each part that is done. */
  progress: (line: string) => void;
};

export type DemoFilled = { workspaceId: number; name: string; administratorId: number; isNew: boolean };

const SEED = 20_261_121;
const FACES = 8;

/**
 * Fills a workspace with what a few busy months would leave, in one transaction: wholly or not at all. The same on every
 * machine, but for the moments, which end now, and for what goes with the day of the week. In an installation without
 * people its administrator is made as well; in another one it takes `anyway` and is the first administrator's further
 * workspace. Throws StartError without.
 */
export async function fillDemo(db: Db, storage: Storage, options: Options): Promise<DemoFilled> {
  const { size, progress } = options;
  const random = seeded(SEED);
  const uploads = path.join(options.dataDir, "attachments", "uploads");
  await mkdir(uploads, { recursive: true });
  const folder = await mkdtemp(path.join(uploads, "demo-"));
  try {
    await refuseUnlessEmpty(db, options.anyway);
    const pictures = await drawReportPictures(folder, Math.ceil(size.reports * 0.45), random);
    const faces = await drawFaces(folder, FACES, random);
    progress(`${pictures.length} pictures and ${faces.length} faces are drawn`);
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
  const now = await clock(tx);
  const workspace = await makeWorkspace(tx, administratorId, now, random);
  await givePictures(tx, workspace.people.slice(1), options.faces);
  progress(`${workspace.people.length} people work in ${workspace.places.length} projects`);
  const filled: Contents = { issues: [], reports: [], comments: [] };
  // Three, whatever the demo's size.
  for (const [index, place] of workspace.places.entries()) {
    const share = (of: number) => Math.floor((of * (index + 1)) / 3) - Math.floor((of * index) / 3);
    const part = { groups: share(size.groups), issues: share(size.issues), reports: share(size.reports) };
    await fillPlace(tx, place, part, filled, { ...options, now });
    progress(
      `${place.project.name}: ${part.groups} error groups, ${part.issues} issues, ${part.reports} reports`,
    );
  }
  await attachPictures(tx, filled.reports, options.pictures, administratorId, random);
  await finish(tx, workspace, filled, { ...options, now });
  return { workspaceId: workspace.id, name: workspace.name, administratorId, isNew };
}

type Contents = { issues: DemoIssue[]; reports: DemoReport[]; comments: DemoComment[] };
type Filling = Options & Drawn & { now: number };

async function fillPlace(tx: Tx, place: Place, size: DemoSize, filled: Contents, options: Filling) {
  const { now, retentionDays } = options;
  const random = forked(options.random);
  const groupIds = await makeErrorGroups(tx, {
    project: place.about,
    projectId: place.project.id,
    count: size.groups,
    now,
    retentionDays,
    resolverIds: place.people.slice(0, 5).map((person) => person.id),
    random: forked(random),
  });
  const promoted = await promotedGroups(tx, place, groupIds, { ...options, random: forked(random) });
  const { drafts, seeds } = draftReports(place, size.reports, now, forked(random));
  const issues = await makeIssues(
    tx,
    place,
    [...seeds, ...promoted.map((group) => group.seed)],
    size.issues,
    now,
    forked(random),
  );
  await linkErrorGroups(tx, promoted, issues.slice(seeds.length));
  filled.reports.push(...(await makeReports(tx, place, drafts, issues, forked(random))));
  filled.comments.push(...(await makeDiscussions(tx, place, issues, now, forked(random))));
  filled.issues.push(...issues);
}

async function finish(
  tx: Tx,
  workspace: DemoWorkspace,
  filled: Contents,
  { now, random, progress }: Filling,
) {
  await makeActivity(tx, filled.issues);
  const entries = await fillInboxes(tx, workspace, filled, now, random);
  progress(`${filled.comments.length} comments, ${entries} inbox entries`);
}

async function refuseUnlessEmpty(db: Db, anyway: boolean) {
  if (anyway) return;
  const user = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  if (user)
    throw new StartError(
      "People use this installation already. With --anyway the demo becomes a further workspace of its first administrator.",
    );
}

async function findAdministrator(
  tx: Tx,
  anyway: boolean,
): Promise<{ administratorId: number; isNew: boolean }> {
  // Against a set-up at the same moment.
  if (!anyway) await sql`lock table users in share row exclusive mode`.execute(tx);
  await refuseUnlessEmpty(tx, anyway);
  const known = await tx
    .selectFrom("workspace_members")
    .select("user_id")
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .orderBy("user_id")
    .limit(1)
    .executeTakeFirst();
  return known
    ? { administratorId: known.user_id, isNew: false }
    : { administratorId: await makeAdministrator(tx), isNew: true };
}

/** The database's clock, in milliseconds since 1970. */
async function clock(tx: Tx): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(tx);
  return rows[0]?.now as number;
}
