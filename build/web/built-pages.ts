import type { BuiltPage } from "../../src/shared/built-page.ts";
import type * as pages from "../../src/web/app/pages.ts";

type Page = pages.Page;

const PAGES = "../../src/web/app/pages.ts";

/** The rows of `app/pages.ts` for the build and, in a file of the build, for the server. */
export async function readPages(): Promise<(BuiltPage & { isInFirstFile: boolean })[]> {
  // Node imports it as it is: bundling this configuration would bundle the code of all pages.
  const { PUBLIC_PAGES, APP_PAGES, PROJECT_PAGES, PROJECT } = (await import(
    new URL(PAGES, import.meta.url).href
  )) as typeof pages;
  const build = (pages: Record<string, Page>, { isPublic = false, parent = "" }) =>
    Object.values(pages).map(({ path, code, request, isInFirstFile = false }) => ({
      path: parent + (parent !== "" && path === "/" ? "" : path),
      code: moduleOf(code),
      isPublic,
      isInFirstFile,
      ...(request !== undefined && { request }),
    }));
  return [
    ...build(PUBLIC_PAGES, { isPublic: true }),
    ...build(APP_PAGES, {}),
    ...build(PROJECT_PAGES, { parent: PROJECT }),
  ];
}

/** The module that a function imports, relative to src/web. Tools that load this configuration replace `import`. */
function moduleOf(code: Page["code"]): string {
  const [, file] = /\("\.\.\/([^"]+)"\)/.exec(String(code)) ?? [];
  if (file === undefined) throw new Error(`This does not import a page: ${String(code)}`);
  return file;
}
