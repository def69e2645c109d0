/**
 * The end of an axis that starts at 0: the smallest of 1, 2, 4, 5, 10, 20 … that no value exceeds. From 2 on, its
 * half is a whole number.
 */
export function niceMax(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  for (const step of [1, 2, 4, 5, 10]) if (step * power >= most) return step * power;
  return 10 * power;
}

/** Axis ticks: 0, the half if it is a whole number, and the end. */
export function axisTicks(max: number): number[] {
  return max % 2 === 0 ? [0, max / 2, max] : [0, max];
}
