/** The end of an axis that starts at 0: the next of 1, 2, 4, 5, 10, 20 … that no value exceeds, so that halves are whole from 2 on. */
export function niceMax(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  for (const step of [1, 2, 4, 5, 10]) if (step * power >= most) return step * power;
  return 10 * power;
}

/** The marks of an axis: nothing, the half when it is whole, the end. */
export function axisTicks(max: number): number[] {
  return max % 2 === 0 ? [0, max / 2, max] : [0, max];
}
