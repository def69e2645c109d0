import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { checkOpenCounts } from "../../../test/support/check-open-counts.ts";
import { emptyDatabase } from "../../../test/support/postgres.ts";
import { connect, type Db } from "../db/connect.ts";
import { migrate, readMigrations } from "../db/migrate.ts";

const database = await emptyDatabase();
after(() => database.drop());

/** The schema before `open_counts` existed, with this number of migrations. */
const BEFORE = 85;

const addErrors = (db: Db, projectId: number, count: number, status = 0) =>
  sql`
    insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count, daily_counts, status,
      regressed_at, first_seen_at, last_seen_at, last_seen_span, updated_at)
    select ${projectId}, 'production', sha256(random()::text::bytea), 'Failure', '', 1, array[1] || array_fill(0, array[89]), ${status},
      case when n % 2 = 0 then now() end, now(), now(), now(), now()
    from generate_series(1, ${count}) n`.execute(db);

test("the migrations count what is there while servers of the version before change it", async () => {
  const steps = await readMigrations();
  await migrate(database.url, steps.slice(0, BEFORE));
  const { db, close } = connect(database.url, () => {});
  try {
    const { rows } = await sql<{ id: number }>`
      with workspace as (insert into workspaces (name) values ('W') returning id)
      insert into projects (workspace_id, key, name) select id, 'P' || n, 'P' from workspace, generate_series(1, 3) n
      returning id`.execute(db);
    const [one = 0, two = 0] = rows.map(({ id }) => id);
    await addErrors(db, one, 5);
    await addErrors(db, one, 2, 1);
    await addErrors(db, two, 1);
    await sql`
      with lane as (
        insert into lanes (project_id, name, kind, position)
        select p.id, kind, kind, place from projects p, unnest(array['todo', 'done']) with ordinality as kinds (kind, place)
        returning *)
      insert into issues (project_id, number, title, type, priority, lane_id, rank, closed_at)
      select project_id, row_number() over (), 'Issue', 0, 2, id, 'a', case when kind = 'done' then now() end from lane`.execute(
      db,
    );

    await migrate(database.url, steps.slice(0, BEFORE + 1));
    await addErrors(db, one, 3);
    await sql`update error_groups set status = 1 where project_id = ${two}`.execute(db);
    await sql`delete from issues where project_id = ${one}`.execute(db);
    await db.transaction().execute(async (tx) => {
      await addErrors(tx, two, 2);
      await migrate(database.url, steps.slice(0, BEFORE + 2));
      await checkOpenCounts(db);
    });
    await checkOpenCounts(db);
    const counts = await sql<Record<string, number>>`
      select project_id, sum(open_errors) as errors, sum(regressed_errors) as regressed, sum(open_issues) as issues
      from open_counts group by 1 order by 1`.execute(db);
    assert.deepEqual(
      counts.rows.map(({ errors, regressed, issues }) => [errors, regressed, issues]),
      [
        [8, 3, 0],
        [2, 1, 1],
        [0, 0, 1],
      ],
    );
  } finally {
    await close();
  }
});
