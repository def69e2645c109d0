export type Tool = "rectangle" | "arrow" | "blackout";

/** A point of the image in pixels. */
export type Point = { x: number; y: number };
export type Shape = { tool: Tool; from: Point; to: Point };

const RED = "#e5243b";

/** Draws a shape in a size that fits the image. */
export function drawShape(context: CanvasRenderingContext2D, { tool, from, to }: Shape): void {
  const { width, height } = context.canvas;
  const line = Math.max(2, Math.hypot(width, height) / 320);
  if (tool === "blackout") {
    context.fillStyle = "#000";
    context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    return;
  }
  const path = tool === "arrow" ? arrow(from, to, line * 5) : rectangle(from, to);
  strokeTwice(context, path, line, RED);
}

function rectangle(from: Point, to: Point): Path2D {
  const path = new Path2D();
  path.rect(from.x, from.y, to.x - from.x, to.y - from.y);
  return path;
}

function arrow(from: Point, to: Point, size: number): Path2D {
  const path = new Path2D();
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  path.moveTo(from.x, from.y);
  path.lineTo(to.x, to.y);
  for (const side of [-0.5, 0.5]) {
    path.moveTo(to.x, to.y);
    path.lineTo(to.x - size * Math.cos(angle + side), to.y - size * Math.sin(angle + side));
  }
  return path;
}

/** A cross that is visible on every color. */
export function drawCursor(context: CanvasRenderingContext2D, { x, y }: Point): void {
  const size = Math.hypot(context.canvas.width, context.canvas.height) / 50;
  const path = new Path2D(`M${x - size} ${y}h${size * 2}M${x} ${y - size}v${size * 2}`);
  strokeTwice(context, path, size / 8, "#000");
}

/** The white edge keeps a line visible on its own color. */
function strokeTwice(context: CanvasRenderingContext2D, path: Path2D, width: number, color: string) {
  context.lineJoin = context.lineCap = "round";
  context.strokeStyle = "#fff";
  context.lineWidth = width * 2;
  context.stroke(path);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke(path);
}
