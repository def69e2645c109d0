import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";

/**
 * Fails unless the page has the frame that all pages share: a first row of 48 px with the title in its middle, tabs
 * in the 40 px below with the filters at their right, everything aligned with one left edge, a header on the canvas, and rows
 * and panels on surfaces, all with the same hairline. A list that begins below the header is a surface down to the bottom. The
 * selected tab is in view, and the page at its top.
 */
export async function checkFrame(page: Page): Promise<void> {
  // The row is measured after it has changed its width.
  await eventually(() => page.evaluate(toolsBelowHeader), []);
  const found = await page.evaluate(() => {
    const main = document.getElementById("main");
    const header = main?.querySelector("header:has([data-header-row])");
    const row = header?.querySelector("[data-header-row]");
    if (!main || !header || !row) return "no header";
    const edge = main.getBoundingClientRect().left;
    const { top } = header.getBoundingClientRect();
    const visible = (element: Element) => element.getBoundingClientRect().width > 1;
    const last = [...row.querySelectorAll("h1, [aria-current=page]")].at(-1)?.getBoundingClientRect();
    const tab = header.querySelector("nav:not([aria-label=Breadcrumb]) > a")?.getBoundingClientRect();
    const below = header.querySelector("[data-header-row] + [data-header-row]");
    const tools = below?.querySelector("[data-header-tools]");
    const lastTool = [...(tools?.querySelectorAll("button, a, input") ?? [])].findLast(visible);
    const colorOf = (name: string) => {
      const sample = document.body.appendChild(document.createElement("i"));
      sample.style.color = `var(--${name})`;
      const { color } = getComputedStyle(sample);
      sample.remove();
      return color;
    };
    const line = colorOf("line");
    const actedOn = new Set(["surface", "hover", "selected", "accent-tint"].map(colorOf));
    /** The background that shows through an element. */
    const groundOf = (element: Element | null): string => {
      const { backgroundColor } = getComputedStyle(element ?? document.documentElement);
      return element === null || backgroundColor !== "rgba(0, 0, 0, 0)"
        ? backgroundColor
        : groundOf(element.parentElement);
    };
    const nameOf = (element: Element) => `${element.tagName} ${element.textContent.slice(0, 40)}`;
    const rows = [...main.querySelectorAll("[data-row]")].flatMap((row) => {
      const item = row.closest("li, [role=listitem]");
      return item === null ? [] : [item.querySelector("[data-tinted]") ?? item];
    });
    const widths = (element: Element) => {
      const { borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth } =
        getComputedStyle(element);
      return [borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth];
    };
    const panels = [...main.querySelectorAll("section")].filter(
      (panel) => visible(panel) && widths(panel).every((width) => width !== "0px"),
    );
    const thick = [...main.querySelectorAll("*")].filter(
      (element) =>
        getComputedStyle(element).borderBottomColor === line &&
        widths(element).some((width) => !["0px", "1px"].includes(width)),
    );
    const list = [...main.querySelectorAll("ul, [role=list]")].find(visible);
    const bottom = Math.min(main.getBoundingClientRect().bottom, innerHeight) - 4;
    const isListPage = list && list.getBoundingClientRect().top - header.getBoundingClientRect().bottom < 40;
    const current = header.querySelector("nav:not([aria-label=Breadcrumb]) > a[aria-current=page]");
    const strip = current?.parentElement?.getBoundingClientRect();
    const [from, to] = [
      current?.getBoundingClientRect().left ?? 0,
      current?.getBoundingClientRect().right ?? 0,
    ];
    const headings = [...main.querySelectorAll("[aria-label=Breadcrumb] li, h1, h2, h3")].filter(visible);
    return {
      row: row.getBoundingClientRect().height,
      title: last && Math.round(last.top + last.height / 2 - top),
      tab: tab && { top: Math.round(tab.top - top), height: tab.height },
      edge: Math.min(
        ...headings.map((one) =>
          Math.round(one.getBoundingClientRect().left + parseFloat(getComputedStyle(one).paddingLeft) - edge),
        ),
      ),
      below: below?.getBoundingClientRect().height,
      toolsEnd:
        lastTool && Math.round(main.getBoundingClientRect().right - lastTool.getBoundingClientRect().right),
      noSurface: [...rows, ...panels].filter((element) => !actedOn.has(groundOf(element))).map(nameOf),
      thick: thick.map(nameOf),
      rest: isListPage ? actedOn.has(groundOf(document.elementFromPoint(edge + 40, bottom))) : true,
      isTabInView: strip === undefined || (from >= strip.left - 1 && to <= strip.right + 1),
      scrolled: scrollY,
      hairline: [
        getComputedStyle(header).borderBottomWidth,
        getComputedStyle(header).borderBottomColor === line,
      ],
      hasCanvas:
        getComputedStyle(header).backgroundColor ===
        getComputedStyle(document.documentElement).backgroundColor,
    };
  });
  assert.ok(typeof found !== "string", String(found));
  assert.deepEqual(
    { ...found, tab: found.tab ?? null, toolsEnd: found.toolsEnd ?? 16, below: found.below ?? 40 },
    {
      row: 48,
      title: 24,
      below: 40,
      tab: found.tab === undefined ? null : { top: 48, height: 40 },
      edge: 16,
      toolsEnd: 16,
      noSurface: [],
      thick: [],
      rest: true,
      isTabInView: true,
      scrolled: 0,
      hairline: ["1px", true],
      hasCanvas: true,
    },
  );
}

/** The visible tools of the second row that are outside it. */
function toolsBelowHeader(): string[] {
  const header = document.querySelector("#main header:has([data-header-row])");
  const end = header?.getBoundingClientRect().bottom ?? 0;
  return [...(header?.querySelectorAll("[data-header-tools] :is(button, a, input)") ?? [])]
    .filter((tool) => getComputedStyle(tool).visibility === "visible")
    .filter((tool) => tool.getBoundingClientRect().bottom > end)
    .map(({ textContent }) => textContent);
}
