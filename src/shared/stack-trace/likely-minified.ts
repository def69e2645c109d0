type Place = { abs_path?: string | undefined; filename?: string | undefined; column?: number | undefined };

const MAX_COLUMN_OF_SOURCE = 300;

/** Code of web pages mostly is minified. Code of a server rarely is, unless its lines are long. */
export const isLikelyMinified = (frame: Place): boolean =>
  isOfWebPage(frame) || (frame.column ?? 0) > MAX_COLUMN_OF_SOURCE;

export const isOfWebPage = ({ abs_path, filename }: Place): boolean =>
  [abs_path, filename].some((file) => /^(?:https?|app|capacitor):\/\//i.test(file ?? ""));
