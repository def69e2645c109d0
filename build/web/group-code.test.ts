import assert from "node:assert/strict";
import { test } from "node:test";
import { groupCode } from "./group-code.ts";

/** An app of twenty pages. The first shares a small module with the second, and another one with the third. */
function filesOf(sizeOfSecondPage: number) {
  const pages = Array.from({ length: 20 }, (_, n) => `/${n}-page.tsx`);
  const imports = new Map([
    ["/0-page.tsx", ["/one.ts", "/two.ts"]],
    ["/1-page.tsx", ["/one.ts", "/own.ts"]],
    ["/2-page.tsx", ["/two.ts"]],
  ]);
  const modules = {
    getModuleInfo: (id: string) => ({
      code: "x".repeat(id === "/own.ts" ? sizeOfSecondPage : 2_000),
      importedIds: imports.get(id) ?? [],
      dynamicallyImportedIds: id === "/main.tsx" ? pages : [],
    }),
  };
  const groups = groupCode({ main: "/main.tsx", pages: new Set(pages), firstPages: new Set() });
  return ["/one.ts", "/two.ts"].map((id) => groups.findIndex(({ name }) => name(id, modules) !== null));
}

test("small modules that a page needs together are in one file", () => {
  const [one, two] = filesOf(1_000);
  assert.equal(one, two);
  assert.notEqual(one, -1);
});

test("modules are not merged if that would make another page exceed its limit", () => {
  const [one, two] = filesOf(170_000);
  assert.notEqual(one, two);
});

const DECLARATIONS = `
const Files = deferredPart(async () => (await import("./issue-files.tsx")).Files);
const Comments = deferredPart(() => import("./comments.tsx").then((module) => module.Comments));
const Menu = lazyPart(async () => (await import("./menu.tsx")).Menu);`;

test("parts that a page shows right after itself are in one file with what they need", () => {
  const pages = Array.from({ length: 10 }, (_, n) => `/${n}-page.tsx`);
  const parts = ["/issue-files.tsx", "/comments.tsx", "/menu.tsx"];
  const modules = {
    getModuleInfo: (id: string) => ({
      code: id === "/0-page.tsx" ? DECLARATIONS : "x".repeat(1_000),
      importedIds: id === "/comments.tsx" ? ["/editor.ts"] : [],
      dynamicallyImportedIds: id === "/main.tsx" ? pages : id === "/0-page.tsx" ? parts : [],
    }),
  };
  const groups = groupCode({ main: "/main.tsx", pages: new Set(pages), firstPages: new Set() });
  const fileOf = (id: string) => groups.findIndex(({ name }) => name(id, modules) !== null);
  assert.deepEqual(
    ["/comments.tsx", "/editor.ts", "/menu.tsx"].map((id) => fileOf(id) === fileOf("/issue-files.tsx")),
    [true, true, false],
  );
});
