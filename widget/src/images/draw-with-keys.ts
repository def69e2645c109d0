import type { Drawing } from "./drawing.ts";
import type { Point } from "./shapes.ts";

const MOVES: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Draws with the keyboard: arrow keys move a cursor, with Shift farther; Enter or Space starts and ends a shape; Escape removes an
 * unfinished one.
 */
export function drawWithKeys(drawing: Drawing, on: { started(): void; finished(): void }): void {
  const { canvas } = drawing;
  let cursor: Point = { x: canvas.width / 2, y: canvas.height / 2 };
  let start: Point | undefined;
  const move = (x: number, y: number) => {
    cursor = {
      x: Math.min(canvas.width, Math.max(0, cursor.x + x)),
      y: Math.min(canvas.height, Math.max(0, cursor.y + y)),
    };
    if (start) drawing.preview(start, cursor);
    drawing.pointTo(cursor);
  };
  const startOrFinish = () => {
    if (!start) {
      start = cursor;
      on.started();
      return;
    }
    start = undefined;
    if (drawing.finish()) on.finished();
  };
  const discard = () => {
    start = undefined;
    drawing.discard();
  };
  canvas.addEventListener("keydown", (event) => {
    const [x, y] = MOVES[event.key] ?? [];
    const step = Math.max(canvas.width, canvas.height) / (event.shiftKey ? 10 : 50);
    if (x !== undefined && y !== undefined) move(x * step, y * step);
    else if (event.key === "Enter" || event.key === " ") startOrFinish();
    else if (event.key === "Escape" && start) discard();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  canvas.addEventListener("focus", () => {
    if (canvas.matches(":focus-visible")) drawing.pointTo(cursor);
  });
  canvas.addEventListener("blur", () => {
    discard();
    drawing.pointTo(undefined);
  });
}
