/** The end of an axis that starts at 0: the largest value, so that the data fills the plot. */
export const axisMax = (values: readonly number[]): number => Math.max(1, ...values);

const MAX_STEPS = 4;

/** Axis ticks at round numbers: 0 and up to four multiples of 1, 2 or 5 times a power of ten. */
export function axisTicks(max: number): number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(max / MAX_STEPS)));
  const step =
    [1, 2, 5].map((factor) => factor * power).find((size) => max / size <= MAX_STEPS) ?? 10 * power;
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
}
