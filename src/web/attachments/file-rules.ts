import { byteText } from "../kit/byte-text.ts";

const MIB = 1_048_576;

/** Same as the server's limits, which a test ensures. */
export const REPORT_IMAGES = { most: 5, bytes: 3 * MIB } as const;
export const ATTACHMENT_BYTES = 20 * MIB;

const IMAGE_EXTENSIONS = ["jpg", "jpeg", "png", "gif", "webp", "bmp", "tiff", "tif"];
const OTHER_EXTENSIONS =
  "pdf doc docx xls xlsx ppt pptx odt ods odp txt csv json xml md mp4 mp3 wav ogg".split(" ");

const accepts = (extensions: readonly string[]) => extensions.map((extension) => `.${extension}`).join(",");

/** For the browser's file picker. */
export const ACCEPT_IMAGES = accepts(IMAGE_EXTENSIONS);
export const ACCEPT_ATTACHMENTS = accepts([...IMAGE_EXTENSIONS, ...OTHER_EXTENSIONS]);

type Named = { name: string; size: number };

/** Why an image cannot be sent with a report; undefined if it can. Only the server checks the content. */
export function imageRefusal({ name, size }: Named): string | undefined {
  if (!IMAGE_EXTENSIONS.includes(extensionOf(name)))
    return `${name} is not an image. Use JPEG, PNG, GIF, WebP, BMP or TIFF.`;
  return sizeRefusal({ name, size }, REPORT_IMAGES.bytes);
}

/** The same for a file that is attached later. */
export function attachmentRefusal({ name, size }: Named): string | undefined {
  const extension = extensionOf(name);
  if (!IMAGE_EXTENSIONS.includes(extension) && !OTHER_EXTENSIONS.includes(extension))
    return `${name}: this file type cannot be attached.`;
  return sizeRefusal({ name, size }, ATTACHMENT_BYTES);
}

function sizeRefusal({ name, size }: Named, max: number): string | undefined {
  if (size === 0) return `${name} is empty.`;
  return size > max ? `${name} is too large (${byteText(size)}). The limit is ${byteText(max)}.` : undefined;
}

function extensionOf(name: string): string {
  return /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}
