import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createLucideIcon, type LucideIcon, type LucideProps } from "lucide-react";
import createIcon from "./create-icon.ts";

const FLAG: Parameters<typeof createIcon>[0] = {
  name: "flag",
  aliases: ["banner"],
  size: 24,
  node: [
    ["path", { d: "M6 21V3", key: "pole" }],
    ["circle", { cx: "12", cy: "8", r: "4", key: "sign" }],
  ],
};
const Icon = createIcon(FLAG);
const LibraryIcon = createLucideIcon(FLAG);

/** The attributes and shapes, in any order. */
const partsOf = (icon: LucideIcon, props: LucideProps) =>
  renderToStaticMarkup(createElement(icon, props))
    .match(/[\w-]+="[^"]*"|<[^\s>]+/g)
    ?.toSorted();

const CASES: { name: string; props: LucideProps }[] = [
  { name: "without properties", props: {} },
  { name: "with a size, a line width and a class", props: { size: 16, strokeWidth: 1.75, className: "a b" } },
  { name: "with a name", props: { "aria-label": "Open", role: "img" } },
  { name: "that is hidden from screen readers", props: { "aria-hidden": true } },
];

for (const { name, props } of CASES)
  test(`an icon ${name} looks like that of the library`, () => {
    assert.deepEqual(partsOf(Icon, props), partsOf(LibraryIcon, props));
  });
