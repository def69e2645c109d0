import { h } from "../dom.ts";

/** The server's limit for each image. */
const MAX_BYTES = 3 * 1_048_576;
/** The largest canvas that all browsers have. */
const MAX_PIXELS = 16_000_000;
const ACCEPTED = /^image\/(png|jpeg|gif|webp|bmp|tiff)$/;
const JPEG = "image/jpeg";

export function createCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = h("canvas");
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  return canvas;
}

/** Rejects if it is not an image. Needs no permission from the page's policy, unlike an image element. */
export async function readImage(file: Blob): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(file);
  const canvas = scale(bitmap, Math.min(1, Math.sqrt(MAX_PIXELS / (bitmap.width * bitmap.height))));
  bitmap.close();
  return canvas;
}

/** The file itself if the server accepts it; otherwise its picture in a format and size that the server accepts. */
export const fitFile = async (file: Blob, picture: HTMLCanvasElement) =>
  ACCEPTED.test(file.type) && file.size <= MAX_BYTES ? file : encode(picture, file.type);

/** A photo stays a photo, everything else is sent without loss; if that is too large, with loss, and then smaller. */
export async function encode(picture: HTMLCanvasElement, type = ""): Promise<Blob> {
  for (let factor = 1; factor > 0.1; factor *= 0.7) {
    const canvas = factor === 1 ? picture : scale(picture, factor);
    const png = type === JPEG ? undefined : await toBlob(canvas, "image/png");
    if (png && png.size <= MAX_BYTES) return png;
    const jpeg = await toBlob(onWhite(canvas), JPEG);
    if (jpeg && jpeg.size <= MAX_BYTES) return jpeg;
  }
  throw new RangeError("The image is too large.");
}

const toBlob = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.88));

/** JPEG has no transparency. */
function onWhite(picture: HTMLCanvasElement): HTMLCanvasElement {
  const canvas = createCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  return canvas;
}

export function scale(image: ImageBitmap | HTMLCanvasElement, factor: number): HTMLCanvasElement {
  const canvas = createCanvas(image.width * factor, image.height * factor);
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}
