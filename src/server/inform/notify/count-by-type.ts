import {
  ALERT_FIRED,
  ERROR_ASSIGNED,
  ERROR_REGRESSED,
  FIX_VERIFIED,
  NEW_ERROR,
  SNOOZE_ENDED,
  SPIKE,
  type NotificationType,
} from "../../../shared/notifications.ts";

/** Singular and plural of each type that a digest can contain, most urgent first. */
const NAMES = new Map<NotificationType, [string, string]>([
  [ALERT_FIRED, ["alert", "alerts"]],
  [SPIKE, ["spike", "spikes"]],
  [ERROR_REGRESSED, ["regression", "regressions"]],
  [ERROR_ASSIGNED, ["assigned error", "assigned errors"]],
  [NEW_ERROR, ["new error", "new errors"]],
  [SNOOZE_ENDED, ["ended snooze", "ended snoozes"]],
  [FIX_VERIFIED, ["verified fix", "verified fixes"]],
]);

/** "2 regressions, 13 new errors": how many events of each type the entries stand for. */
export function countByType(entries: { type: NotificationType; count: number }[]): string {
  const counts = Map.groupBy(entries, ({ type }) => type);
  return [...counts]
    .sort(([a], [b]) => urgencyOf(a) - urgencyOf(b))
    .map(([type, own]) => {
      const [one, many] = NAMES.get(type) ?? ["update", "updates"];
      const total = own.reduce((sum, { count }) => sum + count, 0);
      return `${total} ${total === 1 ? one : many}`;
    })
    .join(", ");
}

/** Lower is more urgent. */
export const urgencyOf = (type: NotificationType): number => {
  const place = [...NAMES.keys()].indexOf(type);
  return place < 0 ? NAMES.size : place;
};
