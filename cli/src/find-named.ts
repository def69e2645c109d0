import type { Api } from "./api.ts";
import { EXIT, Failure } from "./failure.ts";

/** Finds the row with this name, ignoring case. @param what as in "There is no lane …" */
export async function findNamed<Row>(
  api: Api,
  path: string,
  { what, name, namesOf }: { what: string; name: string; namesOf: (row: Row) => string[] },
): Promise<Row> {
  const { rows } = await api.list<Row>(path, {}, Infinity);
  const wanted = name.toLowerCase();
  const row = rows.find((each) => namesOf(each).some((own) => own.toLowerCase() === wanted));
  if (row !== undefined) return row;
  const names = rows.map((each) => namesOf(each)[0]).slice(0, 20);
  throw new Failure(EXIT.notFound, `There is no ${what} ${name}. There are: ${names.join(", ") || "none"}.`);
}
