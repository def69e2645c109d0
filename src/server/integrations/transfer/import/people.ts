import { sql } from "kysely";
import { foldCase } from "../../../../shared/fold-case.ts";
import { usersWhere } from "../../../access/access-queries.ts";
import type { Db } from "../../../db/connect.ts";
import type { ImportedPerson } from "./item.ts";

/** Finds the users of a project that the people of another tracker are, and counts those without one. */
export type People = {
  /** Null if nobody with access to the project has the person's address. */
  userOf(person: ImportedPerson | null): number | null;
  /** How the other tracker shows the person; null if it does not name anybody. */
  nameOf(person: ImportedPerson | null): string | null;
  /** Counts the person among the unmatched ones, unless it has a user. */
  count(person: ImportedPerson | null): void;
  /** How often each person without a user occurs. */
  unmatched: ReadonlyMap<string, number>;
};

/** Addresses by name or login, without regard to case. */
export type Addresses = ReadonlyMap<string, string>;

/** More names than anybody reads are not listed. */
const MAX_UNMATCHED = 1_000;
const MAX_NAME = 255;

/** `addresses` supplies those that the source does not have. */
export async function readPeople(db: Db, projectId: number, addresses: Addresses): Promise<People> {
  const { rows } = await sql<{ id: number; email: string }>`
    select u.id, u.email from users u join (${usersWhere({ id: projectId })}) m on m.user_id = u.id`.execute(
    db,
  );
  const users = new Map(rows.map(({ id, email }) => [foldCase(email), id]));
  const unmatched = new Map<string, number>();
  const nameOf = (person: ImportedPerson | null) => {
    const name = person?.name?.trim() || person?.login?.trim() || person?.email?.trim();
    return name ? name.toWellFormed().replaceAll("\0", "").slice(0, MAX_NAME) : null;
  };
  const userOf = (person: ImportedPerson | null) => {
    if (person === null) return null;
    const names = [person.login, person.name, person.email].filter((name) => name !== null);
    const given = names.map((name) => addresses.get(name.trim().toLowerCase()));
    for (const email of [...given, person.email]) {
      const id = email && users.get(foldCase(email.trim()));
      if (id) return id;
    }
    return null;
  };
  return {
    userOf,
    nameOf,
    unmatched,
    count(person) {
      const name = userOf(person) === null ? nameOf(person) : null;
      if (name !== null && (unmatched.has(name) || unmatched.size < MAX_UNMATCHED))
        unmatched.set(name, (unmatched.get(name) ?? 0) + 1);
    },
  };
}
