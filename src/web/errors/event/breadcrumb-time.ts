/** The time of day of a breadcrumb, in seconds since 1970 or as text. Text that is no time stays as it is. */
export function breadcrumbTime(timestamp: string | number | null): string {
  if (timestamp === null) return "";
  const time = new Date(typeof timestamp === "number" ? timestamp * 1_000 : timestamp);
  if (Number.isNaN(time.getTime())) return String(timestamp);
  return time.toLocaleTimeString("en-GB", { hour12: false });
}
