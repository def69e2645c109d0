/** Every time zone the browser knows and the current setting, with their offsets from UTC at `now`. */
export function timeZoneChoices(
  current: string,
  now: Date,
): { value: string; label: string; hint: string }[] {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", current]);
  return [...names].toSorted().map((value) => ({
    value,
    label: value.replaceAll("_", " "),
    hint: offsetOf(value, now),
  }));
}

function offsetOf(timeZone: string, now: Date): string {
  try {
    const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(now);
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  } catch {
    return "";
  }
}
