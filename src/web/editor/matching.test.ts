import assert from "node:assert/strict";
import { test } from "node:test";
import { issuesMatching, peopleMatching } from "./matching.ts";

test("people whose username or first name fits come before those whose last name does", () => {
  const person = (username: string, first_name: string, last_name: string) => ({
    user_id: username.length,
    username,
    first_name,
    last_name,
  });
  const people = [person("nora", "Nora", "Lindqvist"), person("liam", "Liam", "O’Connor")];
  const found = (query: string) => peopleMatching(people, query).map(({ username }) => username);
  assert.deepEqual(found("Li"), ["liam", "nora"]);
  assert.deepEqual(found("lind"), ["nora"]);
  assert.deepEqual(found("iam"), []);
});

test("oneself comes last", () => {
  const people = ["ada", "adam"].map((username, index) => ({
    user_id: index + 1,
    username,
    first_name: "",
    last_name: "",
  }));
  const found = (query: string) => peopleMatching(people, query, 1).map(({ username }) => username);
  assert.deepEqual(
    [found("ad"), found("")],
    [
      ["adam", "ada"],
      ["adam", "ada"],
    ],
  );
});

test("issues fit by the beginning of their number or of a word of their title", () => {
  const issues = [
    { key: "WEB-100", title: "Cart 9 is empty" },
    { key: "WEB-94", title: "Print a summary" },
    { key: "WEB-49", title: "Dark theme" },
  ];
  const found = (query: string) => issuesMatching(issues, query).map(({ key }) => key);
  assert.deepEqual(found("9"), ["WEB-100", "WEB-94"]);
  assert.deepEqual(found("94"), ["WEB-94"]);
  assert.deepEqual(found("SUM"), ["WEB-94"]);
  assert.deepEqual(found(""), ["WEB-100", "WEB-94", "WEB-49"]);
});
