/** A file's name without a query and fragment. File names have no question mark, except on Unix, where it is rare. */
export function withoutQuery(file: string): string {
  const mark = file.indexOf("?");
  const withoutMark = mark > 0 ? file.slice(0, mark) : file;
  const hash = withoutMark.includes("://") ? withoutMark.indexOf("#") : -1;
  return hash > 0 ? withoutMark.slice(0, hash) : withoutMark;
}
