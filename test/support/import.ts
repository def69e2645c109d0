import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ImportKind } from "../../src/shared/import-kinds.ts";
import { importInto } from "../../src/server/integrations/transfer/import/import-into.ts";
import type {
  ImportInput,
  ImportItem,
  ImportNote,
  LeftOut,
} from "../../src/server/integrations/transfer/import/item.ts";
import { loadSource } from "../../src/server/integrations/transfer/import/sources/load-source.ts";
import type { ImportCounts } from "../../src/server/integrations/transfer/import/run-import.ts";
import type { TestApp } from "./test-app.ts";

type ImportRun = {
  project: { id: number };
  authorId: number;
  kind: ImportKind;
  /** What to import: items, or what to read with the source of the kind. */
  from: AsyncIterable<ImportItem | LeftOut | ImportNote> | (ImportItem | LeftOut)[] | ImportInput;
  map?: Record<string, string>;
  sourceProject?: string;
  addresses?: Record<string, string>;
  isDryRun?: boolean;
  maxObjects?: number;
  signal?: AbortSignal;
};

type ImportOutcome = {
  counts: ImportCounts;
  leftOut: string[];
  notes: string[];
  unmatched: string[];
};

/** Imports in this process, and collects what was left out. */
export async function importHere(t: TestApp, run: ImportRun): Promise<ImportOutcome> {
  const { project, kind, from, signal = new AbortController().signal } = run;
  const leftOut: string[] = [];
  const notes: string[] = [];
  const source = await loadSource(kind);
  if (("path" in from || "url" in from) && !source) throw new Error(`no source for ${kind}`);
  const items =
    "path" in from || "url" in from
      ? (source as NonNullable<typeof source>)(from, {
          map: run.map ?? {},
          from: run.sourceProject ?? null,
          privacyRules: null,
          signal,
        })
      : iterate(from);
  const ref = await t.db
    .selectFrom("projects")
    .select(["id", "workspace_id", "key"])
    .where("id", "=", project.id)
    .executeTakeFirstOrThrow();
  const { counts, unmatched } = await importInto(t.db, {
    project: ref,
    kind,
    items,
    addresses: new Map(Object.entries(run.addresses ?? {})),
    fallbackAuthorId: run.authorId,
    retentionDays: 90,
    isDryRun: run.isDryRun ?? false,
    signal,
    ...(run.maxObjects === undefined ? {} : { maxObjects: run.maxObjects }),
    onLeftOut: ({ where, reason }) => leftOut.push(`${where}: ${reason}`),
    onNote: ({ where, text }) => notes.push(`${where}: ${text}`),
  });
  return { counts: { ...counts }, leftOut, notes, unmatched: [...unmatched.keys()] };
}

async function* iterate<T>(items: AsyncIterable<T> | T[]): AsyncGenerator<T> {
  yield* items;
}

/** Writes a file that lasts until `remove`. */
export async function writeTemporary(name: string, content: string | Buffer) {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-import-"));
  const file = path.join(folder, name);
  await writeFile(file, content);
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
