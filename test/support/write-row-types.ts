import { cloneDatabase } from "./postgres.ts";
import { rowTypes } from "./row-types.ts";

/** `npm run db:types`: after a new migration. */
const clone = await cloneDatabase();
try {
  await rowTypes(clone.url, "write");
} finally {
  await clone.drop();
}
