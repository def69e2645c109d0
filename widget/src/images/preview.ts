import { createCanvas } from "./canvas.ts";

/** In CSS pixels; the canvas has twice as many. */
const WIDTH = 120;
const HEIGHT = 80;

/** A picture in small, as a canvas: the page's policy may forbid image elements. */
export function drawPreview(picture: HTMLCanvasElement): HTMLCanvasElement {
  const canvas = createCanvas(2 * WIDTH, 2 * HEIGHT);
  const context = canvas.getContext("2d")!;
  const factor = Math.min(canvas.width / picture.width, canvas.height / picture.height, 1);
  const width = picture.width * factor;
  const height = picture.height * factor;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  return canvas;
}
