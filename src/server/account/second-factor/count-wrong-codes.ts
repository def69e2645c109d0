import { sql } from "kysely";
import { HttpError } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";

/** Consecutive wrong codes of an account, over all sign-ins and sessions, that pause the entry of codes. */
const MAX_WRONG_CODES = 10;

/** The pause in seconds after `wrong_codes`: a minute after the tenth, twice as long after each further one, up to an hour. */
const PAUSE = sql`make_interval(secs => least(3600, 60 * 2 ^ least(wrong_codes - ${MAX_WRONG_CODES}, 6)))`;

/** False if the clock was set back to before the last attempt: a wrong clock must not lock anybody out. */
const isPaused = sql<boolean>`(
  wrong_codes >= ${MAX_WRONG_CODES}
  and clock_timestamp() >= wrong_code_at and clock_timestamp() < wrong_code_at + ${PAUSE})`;

/**
 * Runs `check`, which throws an HttpError if the code is wrong, and emails the user at every tenth wrong code in a row.
 * The attempt is counted before the code is checked, so that concurrent guesses cannot exceed the limit. 429 while the
 * entry of codes is paused.
 */
export async function countWrongCode<T>(db: Db, userId: number, check: () => Promise<T>): Promise<T> {
  const attempts = await countAttempt(db, userId);
  try {
    return await check();
  } catch (error) {
    const isTenth = attempts > 0 && attempts % MAX_WRONG_CODES === 0;
    if (error instanceof HttpError && isTenth)
      await queueSecurityMail(db, userId, tooManyWrongCodes(attempts));
    throw error;
  }
}

export async function forgetWrongCodes(tx: Tx, userId: number): Promise<void> {
  await sql`update second_factors set wrong_codes = 0, wrong_code_at = null where user_id = ${userId}`.execute(
    tx,
  );
}

/** Returns the number of attempts since the last valid code, with this one; 0 without an active second factor. */
async function countAttempt(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ wrong_codes: number }>`
    update second_factors set wrong_codes = wrong_codes + 1, wrong_code_at = clock_timestamp()
    where user_id = ${userId} and confirmed_at is not null and not ${isPaused}
    returning wrong_codes`.execute(db);
  if (rows[0]) return rows[0].wrong_codes;
  const paused = await sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from wrong_code_at + ${PAUSE} - clock_timestamp())))::int as seconds
    from second_factors where user_id = ${userId} and confirmed_at is not null`.execute(db);
  if (paused.rows[0]) throw codesPaused(paused.rows[0].seconds);
  return 0;
}

const codesPaused = (seconds: number) =>
  new HttpError(
    429,
    `Too many wrong codes were entered. Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`}.`,
    {},
    { "retry-after": String(seconds) },
  );

const tooManyWrongCodes = (count: number) => ({
  subject: "Wrong codes of your second factor",
  body: `${count} wrong codes in a row were entered after your password, so somebody else may know it. Entering codes is paused for a while.`,
});
