import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.join(import.meta.dirname, "../..");
const MIGRATIONS = "src/server/db/migrations";

const run = promisify(execFile);

/** A copy of the program. */
export type Version = {
  main: string;
  /** Of its newest migration. */
  schema: number;
  remove(): Promise<void>;
};

/** What a migration may do while the version before is running: see CONTRIBUTING.md. */
const NEXT = `
create table rolled (id bigint generated always as identity primary key, name text not null);
alter table error_groups add column rolled bigint not null default 0;
alter table users add column rolled text;
alter table issues add column rolled_id bigint;
alter table issues add constraint issues_rolled foreign key (rolled_id) references rolled (id) not valid;
create function note_rolled() returns trigger language plpgsql as $$
  begin insert into rolled (name) values (new.exception_class); return null; end $$;
create trigger note_rolled after insert on error_groups for each row execute function note_rolled();
`;

/** This version with one more migration. */
export async function makeNextVersion(): Promise<Version> {
  const folder = await makeFolder(["src/shared"]);
  await cp(path.join(ROOT, "src/server"), path.join(folder, "src/server"), {
    recursive: true,
    filter: (file) => !file.endsWith(".test.ts"),
  });
  await writeFile(path.join(folder, MIGRATIONS, "9999-rolled.sql"), NEXT);
  return versionIn(folder);
}

/**
 * The newest version whose migrations are the first ones of this version, with the packages of this one. Undefined without the
 * history of the repository.
 */
export async function makePreviousVersion(): Promise<Version | undefined> {
  const commit = await findPreviousVersion();
  if (commit === undefined) return undefined;
  const folder = await makeFolder([]);
  const archive = path.join(folder, "source.tar");
  await git("archive", `--output=${archive}`, commit, "src/server", "src/shared");
  await run("tar", ["--extract", `--file=${archive}`, `--directory=${folder}`]);
  return versionIn(folder);
}

/** Migrations that were numbered again before a release are in the history under both names, so names are compared. */
async function findPreviousVersion(): Promise<string | undefined> {
  const names = (await readdir(path.join(ROOT, MIGRATIONS))).sort();
  const commits = await git("log", "--diff-filter=A", "--format=%H^", "--", MIGRATIONS);
  for (const commit of commits?.split("\n") ?? []) {
    const listed = await git("ls-tree", "--name-only", commit, `${MIGRATIONS}/`);
    const previous = listed
      ?.split("\n")
      .map((file) => path.basename(file))
      .sort();
    if (
      previous !== undefined &&
      previous.length < names.length &&
      previous.every((name, n) => name === names[n])
    )
      return commit;
  }
  return undefined;
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    return (await run("git", args, { cwd: ROOT })).stdout.trim();
  } catch {
    return undefined;
  }
}

/** Everything but the sources of the server, so that neither the packages nor the web app are built again. */
async function makeFolder(more: string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-version-"));
  await mkdir(path.join(folder, "src"));
  for (const name of [...(await readdir(ROOT)), "src/web", ...more])
    if (!["src", ".git", "data", ".env"].includes(name))
      await symlink(path.join(ROOT, name), path.join(folder, name));
  return folder;
}

async function versionIn(folder: string): Promise<Version> {
  const newest = (await readdir(path.join(folder, MIGRATIONS))).sort().at(-1);
  return {
    main: path.join(folder, "src/server/main.ts"),
    schema: Number(newest?.slice(0, 4)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
