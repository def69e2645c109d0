import { StartError } from "../../config/start-error.ts";
import { readCsv } from "../../integrations/transfer/import/read-csv.ts";
import type { Addresses } from "../../integrations/transfer/import/people.ts";

/** Reads `--people`: a CSV file with the columns `login` or `name`, and `email`. */
export async function readAddresses(path: string): Promise<Addresses> {
  const { columns, rows } = await readCsv(path).catch((error: Error) => {
    throw new StartError(`${path} cannot be read: ${error.message}`, error);
  });
  const names = ["login", "name"].filter((name) => columns.some((column) => column.toLowerCase() === name));
  if (names.length === 0 || !columns.some((column) => column.toLowerCase() === "email"))
    throw new StartError(`${path} needs the columns login or name, and email.`);
  const addresses = new Map<string, string>();
  for await (const row of rows) {
    if ("item" in row) throw new StartError(`${path}, ${row.where}: ${row.reason}`);
    for (const name of names)
      if (row.get(name) !== "" && row.get("email") !== "")
        addresses.set(row.get(name).toLowerCase(), row.get("email"));
  }
  return addresses;
}
