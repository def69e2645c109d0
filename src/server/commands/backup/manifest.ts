import { z } from "zod";

/** The archive's last member: lists tables, migrations and the checksum of every other member. */
export const MANIFEST = "manifest.json";

/** Increase when older versions cannot read the archive correctly. */
export const FORMAT = 1;

const NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const name = z.string().regex(NAME);
const count = z.int().min(0);

export const manifest = z.object({
  format: z.literal(FORMAT),
  /** Signalbox's version, for information only. */
  program: z.string(),
  made_at: z.iso.datetime(),
  /** The applied migrations, in order. */
  migrations: z.array(z.object({ version: z.int().positive(), name: z.string() })).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: count })),
  /** The last value of each sequence, as text because a bigint does not fit a JSON number. */
  sequences: z.array(z.object({ name, last_value: z.string().regex(/^-?[0-9]{1,19}$/) })),
  members: z.array(z.object({ name: z.string(), size: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** Keys of files that were missing or damaged. */
  missing_files: z.array(z.string()),
});

export type Manifest = z.output<typeof manifest>;
export type Member = Manifest["members"][number];

const FILE = /^files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const PART = /^tables\/([a-z_][a-z0-9_]{0,62})\/[0-9]{6}\.copy$/;

export const fileMember = (key: string) => `files/${key}`;
export const partMember = (table: string, part: number) =>
  `tables/${table}/${String(part).padStart(6, "0")}.copy`;

/** Parses a member's name. Undefined for any name that a backup does not contain, such as a path outside of `files/`. */
export function kindOf(member: string): { file: string } | { table: string } | "manifest" | undefined {
  if (member === MANIFEST) return "manifest";
  const [, file] = FILE.exec(member) ?? [];
  if (file !== undefined) return { file };
  const [, table] = PART.exec(member) ?? [];
  return table === undefined ? undefined : { table };
}
