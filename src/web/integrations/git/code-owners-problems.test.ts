import assert from "node:assert/strict";
import { test } from "node:test";
import { findProblems } from "./code-owners-problems.ts";

const known = { usernames: ["ada"], teams: ["Payments", "Mobile app"] };

test("lines that name known people, teams and addresses have no problem", () => {
  const text =
    "# owners\n\n[Backend]\n*.ts @Ada @acme/payments\nsrc/mail/ bob@example.com @mobile-app\n/docs/\n";
  assert.deepEqual(findProblems(text, known), []);
});

test("a problem names its line, and a line can have several", () => {
  assert.deepEqual(findProblems("*.ts @ada\r\n\r\n!src/ @bob carl # both\r\n*.[jt]s @ada", known), [
    { line: 3, text: "Patterns cannot be excluded with “!”." },
    { line: 3, text: "No person or team with access to the project is called @bob." },
    { line: 3, text: "“carl” is neither a @name nor an email address." },
    { line: 4, text: "Ranges of characters in brackets are not supported." },
  ]);
});
