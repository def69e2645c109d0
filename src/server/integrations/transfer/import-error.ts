/** Another tracker's file or API cannot be read at all; the message says what to do. */
export class ImportError extends Error {}
