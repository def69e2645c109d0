/** As the server has it. */
const MOST_BYTES = 10 * 1_048_576;

/** Why a file is no profile picture, before anything is sent; undefined when it may be one. */
export function checkPicture(file: { name: string; type: string; size: number }): string | undefined {
  if (!file.type.startsWith("image/")) return `${file.name} is not an image.`;
  if (file.size > MOST_BYTES) return `${file.name} is larger than 10 MB.`;
  return undefined;
}
