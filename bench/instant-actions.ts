import type { Page } from "playwright-core";

export type Action = {
  name: string;
  /** Brings the page to where the action begins. Not measured. */
  prepare: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
  /** An expression that is true in the page when the result is there. */
  done: string;
};

const PROJECT = "/projects/P1";
const ROW = "main [data-row]";

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Opens a page of the app as a link would, and waits for what it shows. */
const at = (path: string, selector: string) => async (page: Page) => {
  await page.goto(path);
  await page.locator(selector).first().waitFor();
};

const shows = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
const isAt = (end: string, selector: string) =>
  `location.pathname.endsWith(${JSON.stringify(end)}) && ${shows(selector)}`;
const isGone = (selector: string) => `!${shows(selector)}`;

const home = at("/", "main h1");
const errors = at(`${PROJECT}/errors`, ROW);
const issues = at(`${PROJECT}/issues`, ROW);
const triage = at(`${PROJECT}/triage`, ROW);

/** From the list of issues of the largest project. */
const goTo = (name: string, key: string, end: string, selector: string): Action => ({
  name: `go to ${name}`,
  prepare: issues,
  act: press("g", key),
  done: isAt(end, selector),
});

/** With the cursor on the first row of the list. */
const onFirst = (list: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await list(page);
  await page.keyboard.press("j");
  await page.locator(`${ROW}:focus, ${ROW}:focus-within`).first().waitFor();
};

const DIALOG = "[role=dialog]";
const MENU = "[role=listbox], [role=menu]";

/** The most frequent actions: moving between pages, moving within lists, changing what is there. */
export const ACTIONS: Action[] = [
  goTo("home", "h", "/", "main h1"),
  goTo("the inbox", "i", "/notifications", "main"),
  goTo("triage", "t", "/triage", ROW),
  goTo("the errors", "e", "/errors", ROW),
  goTo("the releases", "r", "/releases", "main li"),
  goTo("the board", "b", "/board", ROW),
  goTo("my issues", "m", "/my-issues", ROW),
  goTo("the sprints", "v", "/sprints", "main li"),
  goTo("the epics", "p", "/epics", "main li"),
  goTo("the settings", "s", "/settings", "main form, main h2"),
  {
    name: "open an issue",
    prepare: onFirst(issues),
    act: press("Enter"),
    done: `location.pathname.includes("/issues/") && ${shows("main h1")}`,
  },
  {
    name: "back to the issues",
    prepare: async (page) => {
      await onFirst(issues)(page);
      await page.keyboard.press("Enter");
      await page.locator("main h1").first().waitFor();
    },
    act: press("g", "l"),
    done: isAt("/issues", ROW),
  },
  {
    name: "open an error",
    prepare: onFirst(errors),
    act: press("Enter"),
    done: `location.pathname.includes("/errors/") && ${shows("main h1")}`,
  },
  { name: "next error in the list", prepare: onFirst(errors), act: press("j"), done: "true" },
  { name: "select an error", prepare: onFirst(errors), act: press("x"), done: shows("main :checked") },
  { name: "next report", prepare: onFirst(triage), act: press("j"), done: "true" },
  { name: "open the palette", prepare: issues, act: press("Control+k"), done: shows(DIALOG) },
  {
    name: "search in the palette",
    prepare: async (page) => {
      await issues(page);
      await page.keyboard.press("Control+k");
      await page.locator(`${DIALOG} input`).waitFor();
    },
    act: (page) => page.keyboard.type("P1-12"),
    done: `[...document.querySelectorAll("[role=option]")].some((each) => each.textContent.includes("P1-12"))`,
  },
  { name: "assign an issue: the menu", prepare: onFirst(issues), act: press("a"), done: shows(MENU) },
  { name: "priority of an issue: the menu", prepare: onFirst(issues), act: press("p"), done: shows(MENU) },
  { name: "lane of an issue: the menu", prepare: onFirst(issues), act: press("s"), done: shows(MENU) },
  {
    name: "move an issue to another lane",
    prepare: async (page) => {
      await onFirst(issues)(page);
      await page.keyboard.press("s");
      await page.locator(MENU).first().waitFor();
    },
    act: press("ArrowDown", "Enter"),
    done: isGone(MENU),
  },
  { name: "new issue: the dialog", prepare: issues, act: press("c"), done: shows(`${DIALOG} input`) },
  { name: "new report: the dialog", prepare: issues, act: press("Shift+R"), done: shows(`${DIALOG} input`) },
  {
    name: "switch the project",
    prepare: home,
    act: (page) => page.locator("main a[href*='/projects/P2']").first().click(),
    done: `location.pathname.startsWith("/projects/P2") && ${shows("main h1")}`,
  },
];
