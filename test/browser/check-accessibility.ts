import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const ALL: axe.RunOptions = {
  // Without the elements that pass, the result has a tenth of the size.
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // Base UI renders dialogs outside the landmarks.
  rules: { region: { enabled: false } },
};

/** The rules whose result depends on the theme. They need a third of the time. */
const COLORS: axe.RunOptions = {
  resultTypes: ["violations"],
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** What passed all rules in this process: see `describeContent`. */
const passed = new Set<string>();

/**
 * Fails if axe finds a violation of WCAG 2.2 AA. In another theme, the same content is checked for its colors only. No
 * page has frames, which axe would not check.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  // Sending half a megabyte to the page takes as long as a check, so a document gets axe only once.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  await page.evaluate(endTransitions);
  const before = await page.evaluate(describeContent);
  assert.deepEqual(await page.evaluate(findViolations, passed.has(before) ? COLORS : ALL), []);
  // Content that changed meanwhile was checked partly.
  if ((await page.evaluate(describeContent)) === before) passed.add(before);
}

/** Runs in the page: after a change of theme, axe would see colors in mid-transition. A transition can start another one. */
async function endTransitions(): Promise<void> {
  const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  for (let some = running(); some.length > 0; some = running())
    await Promise.allSettled(some.map((transition) => transition.finished));
}

/** Runs in the page: its size and a hash of its content, without the theme, which is an attribute of the root. */
async function describeContent(): Promise<string> {
  const { innerWidth, innerHeight } = window;
  const text = new TextEncoder().encode(document.body.outerHTML);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return `${innerWidth} ${innerHeight} ${hash.join(" ")}`;
}

/** Runs in the page, without transitions and animations: content that arrives meanwhile could start one. */
async function findViolations(options: axe.RunOptions): Promise<string[]> {
  const atOnce = new CSSStyleSheet();
  atOnce.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important }");
  document.adoptedStyleSheets.push(atOnce);
  try {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map((node) => `${node.html} ${node.any.map(({ message }) => message).join(" ")}`).join(" | ")}`,
    );
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== atOnce);
  }
}
