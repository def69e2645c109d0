import assert from "node:assert/strict";
import { test } from "node:test";
import { CronExpressionParser } from "cron-parser";
import fc from "fast-check";
import { nextTime, nextTimes } from "./next-time.ts";
import { isSchedule } from "./require-valid-schedule.ts";
import { instantOf, wallTime } from "./wall-time.ts";

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"];
const MINUTE = 60_000;

const crontab = (value: string, timezone: string) => ({
  schedule: { type: "crontab" as const, value },
  timezone,
});
const times = (value: string, timezone: string, after: string, count: number) =>
  nextTimes(crontab(value, timezone), Date.parse(after), count).map((time) => new Date(time).toISOString());

test("a time that does not exist is moved to the next existing minute", () => {
  assert.deepEqual(times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", 2), [
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
  assert.deepEqual(times("*/20 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00Z", 4), [
    "2026-03-29T01:00:00.000Z",
    "2026-03-29T01:20:00.000Z",
    "2026-03-29T01:40:00.000Z",
    "2026-03-30T00:00:00.000Z",
  ]);
  assert.deepEqual(times("15 2 4 10 *", "Australia/Lord_Howe", "2026-10-01T00:00Z", 1), [
    "2026-10-03T15:30:00.000Z",
  ]);
});

test("a time that occurs twice counts once, the first time", () => {
  assert.deepEqual(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 2), [
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
  assert.deepEqual(times("*/30 * * * *", "Europe/Berlin", "2026-10-24T23:45Z", 4), [
    "2026-10-25T00:00:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-25T02:00:00.000Z",
    "2026-10-25T02:30:00.000Z",
  ]);
});

test("crontabs may have names and nicknames", () => {
  assert.deepEqual(times("0 9 * jan MON-FRI", "UTC", "2026-01-02T12:00Z", 1), ["2026-01-05T09:00:00.000Z"]);
  assert.deepEqual(times("@daily", "Asia/Kathmandu", "2026-01-02T12:00Z", 1), ["2026-01-02T18:15:00.000Z"]);
});

test("a crontab may have steps from a number on, and spaces around it", () => {
  assert.deepEqual(times(" 5/20  8 * * * ", "UTC", "2026-01-02T12:00Z", 4), [
    "2026-01-03T08:05:00.000Z",
    "2026-01-03T08:25:00.000Z",
    "2026-01-03T08:45:00.000Z",
    "2026-01-04T08:05:00.000Z",
  ]);
});

for (const value of [
  "",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "0 0 30 2 *",
  "0 0 L * *",
  "0 0 ? * *",
  "/5 * * * *",
  "0,/5 * * * *",
  "5/0 * * * *",
  "@reboot",
  "a b c d e",
])
  test(`not a crontab: ${JSON.stringify(value)}`, () => {
    assert.equal(isSchedule({ type: "crontab", value }), false);
  });

const interval = (value: number, unit: "hour" | "day" | "week" | "month") => ({
  schedule: { type: "interval" as const, value, unit },
  timezone: "Europe/Berlin",
});

test("days, weeks and months of an interval keep the local time, hours do not", () => {
  const after = Date.parse("2026-03-28T08:00Z");
  const next = (scheduled: ReturnType<typeof interval>) => new Date(nextTime(scheduled, after)).toISOString();
  assert.equal(next(interval(24, "hour")), "2026-03-29T08:00:00.000Z");
  assert.equal(next(interval(1, "day")), "2026-03-29T07:00:00.000Z");
  assert.equal(next(interval(1, "week")), "2026-04-04T07:00:00.000Z");
  assert.equal(
    new Date(nextTime(interval(1, "month"), Date.parse("2026-01-31T11:00Z"))).toISOString(),
    "2026-02-28T11:00:00.000Z",
  );
});

test("every instant that its zone's clocks show once is found by what they show", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 6_000_000 }), (zone, minute) => {
      const instant = Date.UTC(2020, 0) + minute * MINUTE;
      const wall = wallTime(instant, zone);
      const found = instantOf(wall, zone);
      assert.ok(found <= instant);
      assert.equal(wallTime(found, zone), wall);
    }),
    { seed: 7, numRuns: 1_000 },
  );
});

const number = (min: number, max: number) => fc.integer({ min, max });
const field = (min: number, max: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    number(min, max).map(String),
    fc.tuple(number(min, max), number(min, max)).map((ends) => ends.toSorted((a, b) => a - b).join("-")),
    fc.uniqueArray(number(min, max), { minLength: 2, maxLength: 4 }).map((values) => values.join(",")),
    number(2, Math.min(max, 20)).map((step) => `*/${step}`),
  );
/** Days up to the 28th, so that every month has them. */
const anyCrontab = fc
  .tuple(
    field(0, 59),
    field(0, 23),
    field(1, 28),
    field(1, 12),
    fc.constantFrom("*", "*", "1", "1-5", "SUN", "2,4"),
  )
  // Implementations differ in whether a step of days is a restriction that is combined with the days of the week.
  .filter(([, , day, , weekday]) => !(day.startsWith("*/") && weekday !== "*"))
  .map((fields) => fields.join(" "));

/** The times of an independent implementation on clocks that are never changed, in the zone by the rules of the page. */
function expectedNext(value: string, zone: string, after: number): number {
  const currentDate = new Date(Math.min(wallTime(after, zone), wallTime(after - 180 * MINUTE, zone)) - 1);
  const expression = CronExpressionParser.parse(value, { currentDate, tz: "UTC" });
  for (;;) {
    const wall = expression.next().getTime();
    const instant = firstMinuteShowing(wall, zone, after);
    if (instant !== undefined && instant > after) return instant;
  }
}

/** Walks over the minutes around a local time. Undefined if it is long before `after`. */
function firstMinuteShowing(wall: number, zone: string, after: number): number | undefined {
  const center = wall - (wallTime(wall, zone) - wall);
  if (center + 300 * MINUTE < after) return undefined;
  for (let time = center - 180 * MINUTE; time <= center + 180 * MINUTE; time += MINUTE)
    if (
      wallTime(time, zone) === wall ||
      (wallTime(time, zone) > wall && wallTime(time - MINUTE, zone) < wall)
    )
      return time;
  return undefined;
}

/** Moments around changes of the clocks, and others. */
const anyMoment = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        "2026-03-29T01:00Z",
        "2026-10-25T01:00Z",
        "2026-03-08T07:00Z",
        "2026-11-01T06:00Z",
        "2026-04-04T15:00Z",
        "2026-10-03T15:30Z",
      ),
      number(-300, 300),
    )
    .map(([change, minutes]) => Date.parse(change) + minutes * MINUTE),
  number(0, 2_000_000).map((minute) => Date.UTC(2025, 0) + minute * MINUTE),
);

test("the next time is that of another implementation of crontabs, through changes of the clocks", () => {
  fc.assert(
    fc.property(anyCrontab, fc.constantFrom(...ZONES), anyMoment, (value, zone, after) => {
      const found = nextTime(crontab(value, zone), after);
      const expected = expectedNext(value, zone, after);
      assert.equal(new Date(found).toISOString(), new Date(expected).toISOString());
    }),
    { seed: 20_261_128, numRuns: 200 },
  );
});
