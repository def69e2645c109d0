import { after, afterEach, before } from "node:test";
import type { TestPage } from "./test-page.ts";

/**
 * Opens one page for all tests of a `describe`, because loading it takes longer than most of them. Each test closes what
 * it opened; after a test that fails, the next one gets a new page. Returns a function that returns the page.
 */
export function useSharedPage(open: () => Promise<TestPage>): () => TestPage {
  let page: TestPage;
  before(async () => {
    page = await open();
  });
  afterEach(async (context) => {
    if ("passed" in context && !context.passed) page = await open();
  });
  after(() => page.leave());
  return () => page;
}
