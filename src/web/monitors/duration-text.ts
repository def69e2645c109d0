/** `0.25` → "0.25 s", `42.5` → "42.5 s", `95` → "1 min 35 s", `7260` → "2 h 1 min". */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return joined(Math.floor(whole / 60), "min", whole % 60, "s");
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

const joined = (count: number, unit: string, rest: number, restUnit: string) =>
  rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${restUnit}`;
