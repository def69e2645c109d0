/** A page in the background paints no frames. */
const MAX_WAIT_MS = 200;

/** Calls back once the next frame is painted. Returns a function that cancels this. */
export function afterPaint(callback: () => void): () => void {
  let isOver = false;
  const finish = () => {
    if (isOver) return;
    cancel();
    callback();
  };
  let painted: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => (painted = setTimeout(finish)));
  const late = setTimeout(finish, MAX_WAIT_MS);
  const cancel = () => {
    isOver = true;
    cancelAnimationFrame(frame);
    clearTimeout(painted);
    clearTimeout(late);
  };
  return cancel;
}
