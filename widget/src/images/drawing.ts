import { createCanvas } from "./canvas.ts";
import { drawCursor, drawShape, type Point, type Shape, type Tool } from "./shapes.ts";

/** Smaller shapes are clicks, in thousandths of the image's diagonal. */
const MIN_SIZE = 5;

/** An image on which shapes are drawn: what the pointer and the keys change. */
export class Drawing {
  readonly canvas: HTMLCanvasElement;
  tool: Tool = "rectangle";
  readonly #picture: HTMLCanvasElement;
  readonly #shapes: Shape[];
  #unfinished: Shape | undefined;
  #cursor: Point | undefined;

  constructor(picture: HTMLCanvasElement, shapes: Shape[]) {
    this.#picture = picture;
    this.#shapes = shapes;
    this.canvas = createCanvas(picture.width, picture.height);
    this.#render();
  }

  /** Shows a shape of the current tool. */
  preview(from: Point, to: Point): void {
    this.#unfinished = { tool: this.tool, from, to };
    this.#render();
  }

  /** Keeps the shape that `preview` shows. Returns false if it is too small. */
  finish(): boolean {
    const shape = this.#unfinished;
    this.discard();
    if (!shape || sizeOf(shape) * 1000 < MIN_SIZE * Math.hypot(this.canvas.width, this.canvas.height))
      return false;
    this.#shapes.push(shape);
    this.#render();
    return true;
  }

  /** Removes the shape that `preview` shows. */
  discard(): void {
    this.#unfinished = undefined;
    this.#render();
  }

  undo(): void {
    this.#shapes.pop();
    this.#render();
  }

  /** Shows the keyboard's cursor. */
  pointTo(cursor: Point | undefined): void {
    this.#cursor = cursor;
    this.#render();
  }

  #render() {
    const context = drawAll(this.canvas, this.#picture, this.#shapes);
    if (this.#unfinished) drawShape(context, this.#unfinished);
    if (this.#cursor) drawCursor(context, this.#cursor);
  }
}

/** A copy of the picture with the shapes in its pixels. */
export function flatten(picture: HTMLCanvasElement, shapes: readonly Shape[]): HTMLCanvasElement {
  const canvas = createCanvas(picture.width, picture.height);
  drawAll(canvas, picture, shapes);
  return canvas;
}

function drawAll(canvas: HTMLCanvasElement, picture: HTMLCanvasElement, shapes: readonly Shape[]) {
  const context = canvas.getContext("2d")!;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  for (const shape of shapes) drawShape(context, shape);
  return context;
}

const sizeOf = ({ from, to }: Shape) => Math.hypot(to.x - from.x, to.y - from.y);
