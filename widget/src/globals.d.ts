/** The addresses of built files, relative to the server. */
declare const FORM_FILE: string;
declare const LANGUAGE_FILES: Record<string, string>;
/** The worker of the public form, as an absolute path. */
declare const WORK_FILE: string;

declare module "*.css" {
  const css: string;
  export default css;
}
