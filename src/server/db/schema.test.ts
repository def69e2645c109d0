import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/support/postgres.ts";
import { rowTypes } from "../../../test/support/row-types.ts";

let database: { url: string; drop(): Promise<void> };
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

test("the row types match the migrated database (npm run db:types writes them)", () =>
  rowTypes(database.url, "verify"));
