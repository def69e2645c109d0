import type { Page } from "playwright-core";

export type Action = {
  name: string;
  /** Brings the open app to where the action begins. Not measured. `run` differs from run to run, so that each opens another row. */
  prepare: (page: Page, run: number) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
  /** An expression whose value before the action is `before` in `done`. */
  before?: string;
  /** An expression that is true in the page when the result is there. */
  done: string;
};

const PROJECT = "/projects/P1";
const ROW = "main [data-row]";
const CURSOR = "main [data-current]";
const DIALOG = "[role=dialog]";
const MENU = "[role=listbox], [role=menu]";

const shows = (selector: string) => `document.querySelector(${JSON.stringify(selector)}) !== null`;
const isGone = (selector: string) => `!(${shows(selector)})`;
const text = (selector: string) => `(document.querySelector(${JSON.stringify(selector)})?.textContent ?? "")`;

/** The page with this heading shows its content. */
const isOn = (heading: string, content: string) =>
  `${text("main h1")}.startsWith(${JSON.stringify(heading)}) && ${shows(content)}`;

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Closes what is open and goes to a page of the app, as its links do. */
const at = (path: string, heading: string, content: string) => async (page: Page) => {
  await press("Escape", "Escape")(page);
  // The router follows the history. Another page comes first, so that this one starts anew.
  await page.evaluate(`history.pushState(null, "", "/search")`);
  await page.waitForFunction(`${text("main h1")}.startsWith("Search")`);
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await page.waitForFunction(isOn(heading, content));
};

const home = at("/", "Hello", ROW);
const errors = at(`${PROJECT}/errors`, "Errors", ROW);
const issues = at(`${PROJECT}/issues`, "Issues", ROW);
const triage = at(`${PROJECT}/triage`, "Triage", ROW);

/** From the list of issues of the largest project. */
const goTo = (name: string, key: string, heading: string, content: string): Action => ({
  name: `go to ${name}`,
  prepare: issues,
  act: press("g", key),
  done: isOn(heading, content),
});

/** With the cursor on another row for each run. */
const onRow = (list: (page: Page) => Promise<unknown>) => async (page: Page, run: number) => {
  await list(page);
  for (let step = 0; step <= run; step++) {
    await page.keyboard.press("j");
    await page.locator(CURSOR).first().waitFor();
  }
};

/** On the page of an issue or an error, opened from the list. */
const opened =
  (list: (page: Page) => Promise<unknown>, heading: string) => async (page: Page, run: number) => {
    await onRow(list)(page, run);
    await page.keyboard.press("Enter");
    await page.waitForFunction(`![${JSON.stringify(heading)}, ""].includes(${text("main h1")})`);
  };

/** The list's cursor, which a step moves to another element. */
const cursor = `document.querySelector(${JSON.stringify(CURSOR)})`;
const cursorRow = `${cursor}?.closest("[role=listitem]")`;
const rowId = `${cursorRow}?.querySelector("[data-row]").dataset.row`;
const rowIsGone = '!document.querySelector(`main [data-row="${before}"]`)';

const menuOf = (name: string, key: string): Action => ({
  name: `${name} of an issue: the menu`,
  prepare: onRow(issues),
  act: press(key),
  done: shows(MENU),
});

/** Moving between pages. */
const PAGES: Action[] = [
  goTo("home", "h", "Hello", ROW),
  goTo("the inbox", "i", "Inbox", ROW),
  goTo("triage", "t", "Triage", ROW),
  goTo("the errors", "e", "Errors", ROW),
  goTo("the board", "b", "Board", ROW),
  goTo("my issues", "m", "My issues", ROW),
  goTo("the settings", "s", "Project settings", "main form, main h2"),
  { ...goTo("the issues", "l", "Issues", ROW), prepare: home },
  {
    name: "switch the project",
    prepare: home,
    act: (page) => page.locator("main a[href$='/projects/P2']").click(),
    done: isOn("Project 2", "main h2"),
  },
  {
    name: "open an issue",
    prepare: onRow(issues),
    act: press("Enter"),
    before: `document.activeElement.textContent`,
    done: `before !== "" && ${text("main h1")}.includes(before)`,
  },
  {
    name: "back to the issues",
    prepare: opened(issues, "Issues"),
    act: press("g", "l"),
    done: isOn("Issues", ROW),
  },
  {
    name: "open an error",
    prepare: onRow(errors),
    act: press("Enter"),
    done: `!["Errors", ""].includes(${text("main h1")})`,
  },
  {
    name: "back to the errors",
    prepare: opened(errors, "Errors"),
    act: press("Escape"),
    done: isOn("Errors", ROW),
  },
];

/** Moving and filtering within lists, and searching. */
const LISTS: Action[] = [
  {
    name: "next error in the list",
    prepare: onRow(errors),
    act: press("j"),
    before: cursor,
    done: `${cursor} !== before`,
  },
  {
    name: "next report, beside the list",
    prepare: onRow(triage),
    act: press("j"),
    before: cursor,
    done: `${cursor} !== before`,
  },
  { name: "select an error", prepare: onRow(errors), act: press("x"), done: shows("main :checked") },
  {
    name: 'all errors: the tab "All"',
    prepare: errors,
    act: (page) => page.locator("main [data-tabs] a", { hasText: "All" }).click(),
    done: `${text("main [data-tabs] [aria-current=page]")}.startsWith("All") && ${shows(ROW)}`,
  },
  {
    name: "filter the issues by a word",
    prepare: async (page) => {
      await issues(page);
      await page.locator("main input[type=search]").first().focus();
    },
    act: (page) => page.keyboard.type("export"),
    done: `((rows) => rows.length > 0 && rows.every(({ textContent }) => textContent.includes("export")))([...document.querySelectorAll("main a[data-row]")])`,
  },
  { name: "open the palette", prepare: issues, act: press("Control+k"), done: shows(`${DIALOG} input`) },
  {
    name: "search in the palette",
    prepare: async (page, run) => {
      await issues(page);
      await page.keyboard.press("Control+k");
      await page.locator(`${DIALOG} input`).waitFor();
      await page.keyboard.type(`P1-12${run}`);
    },
    act: (page) => page.keyboard.type("1"),
    before: `document.querySelector("${DIALOG} input").value + "1"`,
    done: `[...document.querySelectorAll("[role=option]")].some(({ textContent }) => textContent.includes(before))`,
  },
];

/** Changing what is there. */
const CHANGES: Action[] = [
  menuOf("assignee", "a"),
  menuOf("lane", "s"),
  {
    name: "move an issue to another lane",
    prepare: async (page, run) => {
      await onRow(issues)(page, run);
      await page.keyboard.press("s");
      await page.locator(MENU).first().waitFor();
      await page.keyboard.press("ArrowDown");
    },
    act: press("Enter"),
    before: `${cursorRow}.textContent`,
    done: `${isGone(MENU)} && ${cursorRow}?.textContent !== before`,
  },
  {
    name: "resolve an error",
    prepare: onRow(errors),
    act: press("e"),
    before: rowId,
    done: rowIsGone,
  },
  { name: "ignore an error", prepare: onRow(errors), act: press("h"), before: rowId, done: rowIsGone },
  { name: "snooze an error: the dialog", prepare: onRow(errors), act: press("z"), done: shows(DIALOG) },
  {
    name: "promote a report",
    prepare: onRow(triage),
    act: press("e"),
    before: rowId,
    done: rowIsGone,
  },
  {
    name: "comment on an issue",
    prepare: async (page, run) => {
      await opened(issues, "Issues")(page, run);
      const field = page.locator("main textarea").last();
      await field.fill(`Comment ${Date.now()}`);
      await field.focus();
    },
    act: press("Control+Enter"),
    before: "document.activeElement.value",
    done: `[...document.querySelectorAll("main article")].some(({ textContent }) => textContent.includes(before))`,
  },
  { name: "new issue: the dialog", prepare: issues, act: press("c"), done: shows(`${DIALOG} input`) },
  { name: "new report: the dialog", prepare: issues, act: press("Shift+R"), done: shows(`${DIALOG} input`) },
];

/** The thirty most frequent actions. */
export const ACTIONS: Action[] = [...PAGES, ...LISTS, ...CHANGES];
