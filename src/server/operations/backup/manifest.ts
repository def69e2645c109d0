import { z } from "zod";

/** The archive's last member: what is in it, in which shape, and the checksum of every other member. */
export const MANIFEST = "manifest.json";

/** Raised when an older program could not read the archive rightly. */
export const FORMAT = 1;

const NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const name = z.string().regex(NAME);
const count = z.int().min(0);

export const manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of the program, for people. */
  program: z.string(),
  made_at: z.iso.datetime(),
  /** The steps that made the database's shape, in their order. */
  migrations: z.array(z.object({ version: z.int().positive(), name: z.string() })).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: count })),
  /** The last number each sequence gave, as text: a bigint does not fit a JSON number. */
  sequences: z.array(z.object({ name, last_value: z.string().regex(/^-?[0-9]{1,19}$/) })),
  members: z.array(z.object({ name: z.string(), size: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  /** Keys of files that should be here and are not. */
  missing_files: z.array(z.string()),
});

export type Manifest = z.output<typeof manifest>;
export type Member = Manifest["members"][number];

const FILE = /^files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const PART = /^tables\/([a-z_][a-z0-9_]{0,62})\/[0-9]{6}\.copy$/;

export const fileMember = (key: string) => `files/${key}`;
export const partMember = (table: string, part: number) =>
  `tables/${table}/${String(part).padStart(6, "0")}.copy`;

/** What a member is by its name; undefined for one that no archive of ours has. No name ever becomes a path. */
export function kindOf(member: string): { file: string } | { table: string } | "manifest" | undefined {
  if (member === MANIFEST) return "manifest";
  const [, file] = FILE.exec(member) ?? [];
  if (file !== undefined) return { file };
  const [, table] = PART.exec(member) ?? [];
  return table === undefined ? undefined : { table };
}
