import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { foldCase } from "../../shared/fold-case.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

const t = await useTestApp();

test("PostgreSQL and the server fold the case of A to Z only, for every Unicode character", async () => {
  const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;
  const points = Array.from({ length: 0x10ffff }, (_, index) => index + 1).filter((one) => !isSurrogate(one));
  const all = points.map((point) => String.fromCodePoint(point)).join("");
  const expected = all.replace("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz");
  assert.ok(foldCase(all) === expected);
  const { rows } = await sql<{ same: boolean }>`select fold_case(${all}) = ${expected} as same`.execute(t.db);
  assert.deepEqual(rows, [{ same: true }]);
});

test("looking up an address or a username uses an index", async () => {
  for (const column of ["email", "username"]) {
    const plan = await t.db.connection().execute(async (db) => {
      await sql`set enable_seqscan = off`.execute(db);
      return sql`explain select id from users where fold_case(${sql.ref(column)}) = fold_case('a')`.execute(
        db,
      );
    });
    assert.match(JSON.stringify(plan.rows), new RegExp(`users_${column}_key`));
  }
});
