/** The end of an axis that starts at 0: the largest value, so that the top tick is a value from the data. */
export const axisMax = (values: readonly number[]): number => Math.max(1, ...values);

/** Axis ticks: 0, the whole number at about half, and the end. */
export const axisTicks = (max: number): number[] => (max < 2 ? [0, max] : [0, Math.round(max / 2), max]);
