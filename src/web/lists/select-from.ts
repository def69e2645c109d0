/** A click may move the pointer by a little. */
const MIN_DISTANCE = 4;

/** Selects text from this point to the pointer, until its button is released. */
export function selectFrom(x: number, y: number): void {
  // Older versions of Safari lack it.
  const start = document.caretPositionFromPoint?.(x, y);
  if (!start) return;
  const ending = new AbortController();
  const { signal } = ending;
  const select = ({ clientX, clientY, buttons }: PointerEvent) => {
    // Released before this code was loaded.
    if (buttons === 0) return ending.abort();
    const end = document.caretPositionFromPoint(clientX, clientY);
    if (end && Math.abs(clientX - x) >= MIN_DISTANCE)
      getSelection()?.setBaseAndExtent(start.offsetNode, start.offset, end.offsetNode, end.offset);
  };
  addEventListener("pointermove", select, { signal });
  // The browser would drag what is selected under the pressed button.
  addEventListener("dragstart", (event) => event.preventDefault(), { signal });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => ending.abort(), { signal });
}
