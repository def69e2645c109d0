import { ACCOUNT_ROWS } from "./account-rows.ts";
import { INTAKE_ROWS } from "./intake-rows.ts";
import { INTEGRATION_ROWS } from "./integration-rows.ts";
import { PEOPLE_ROWS } from "./people-rows.ts";
import type { Row } from "./row.ts";
import { WORK_ROWS } from "./work-rows.ts";

/**
 * Every route of the API with what it requires of callers. Written by hand, so that the test can compare it with what the
 * routes declare. A route without a row fails the test.
 */
export const ROWS: Record<string, Row> = {
  ...ACCOUNT_ROWS,
  ...PEOPLE_ROWS,
  ...WORK_ROWS,
  ...INTAKE_ROWS,
  ...INTEGRATION_ROWS,
};
