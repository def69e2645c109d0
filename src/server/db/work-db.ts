import { Kysely, type TransactionBuilder } from "kysely";
import { runDeferred } from "./before-commit.ts";
import type { DB } from "./schema.ts";

/** Typed SQL whose transactions end with what `beforeCommit` was given. */
export class WorkDb extends Kysely<DB> {
  override transaction(): TransactionBuilder<DB> {
    return runDeferred(super.transaction());
  }
}
