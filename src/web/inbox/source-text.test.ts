import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceText } from "./source-text.ts";

const NAMES = new Map([[7, "Web shop"]]);
const error = {
  type: "error_group",
  id: 3,
  project_id: 7,
  exception_class: "Oops",
  message: "It broke",
} as const;

test("the line of an error has its message, and the project unless the entry names it", () => {
  const about = (message: string) => sourceText({ type: 10, message, notifiable: error }, NAMES);
  assert.equal(about("New error Oops in Web shop"), "It broke");
  assert.equal(about("The error Oops came back"), "Web shop · It broke");
});

test("the line of an error without a message, an issue and a project begins with the kind", () => {
  const text = (type: 1 | 5 | 10, notifiable: Parameters<typeof sourceText>[0]["notifiable"]) =>
    sourceText({ type, message: "", notifiable }, NAMES);
  assert.equal(text(10, { ...error, message: "" }), "New error · #3 · Web shop");
  const issue = { type: "issue", id: 1, project_id: 7, key: "WEB-1", title: "Cart" } as const;
  assert.equal(text(1, issue), "Assignment · WEB-1 · Web shop");
  assert.equal(text(1, { ...issue, project_id: 8 }), "Assignment · WEB-1");
  assert.equal(text(5, { type: "project", id: 7, name: "Web shop" }), "Project · Web shop");
});
