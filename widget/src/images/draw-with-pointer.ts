import type { Drawing } from "./drawing.ts";
import type { Point } from "./shapes.ts";

/** Draws with a mouse, a finger or a pen. */
export function drawWithPointer(drawing: Drawing, onFinished: () => void): void {
  const { canvas } = drawing;
  let start: Point | undefined;
  const pointAt = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const within = (share: number) => Math.min(1, Math.max(0, share));
    return {
      x: within((clientX - left) / width) * canvas.width,
      y: within((clientY - top) / height) * canvas.height,
    };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    start = pointAt(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (start && event.isPrimary) drawing.preview(start, pointAt(event));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!start || !event.isPrimary) return;
    start = undefined;
    if (drawing.finish()) onFinished();
  });
  canvas.addEventListener("pointercancel", () => {
    start = undefined;
    drawing.discard();
  });
}
