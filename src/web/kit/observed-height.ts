/** The height of the observed element, with its border, in whole pixels. Reading `offsetHeight` instead could lay out the page again. */
export function observedHeight(entries: readonly ResizeObserverEntry[]): number {
  return Math.round(entries.at(-1)?.borderBoxSize[0]?.blockSize ?? 0);
}
