import { z } from "zod";
import { count } from "./answers.ts";
import { MAX_PATTERN } from "./rule-kinds.ts";
import { boolean, clearable, id, line, mustBe, optional, uniqueLine } from "./text.ts";

/** Rules of a project that remove personal data from its events, besides the built-in ones. */
export const MAX_PRIVACY_RULES = 50;

/** A regular expression in RE2 syntax; the server compiles it. */
export const pattern = line(MAX_PATTERN);

// The name is shown in brackets: [removed: name].
const name = uniqueLine(50).refine((value) => !/[[\]]/.test(value), "must not contain square brackets");

export const privacyRuleBody = z.object(
  {
    name,
    /** Values of matching keys are removed as a whole. */
    key_pattern: optional(pattern),
    /** Matching parts of texts are removed. */
    value_pattern: optional(pattern),
    active: optional(boolean),
  },
  mustBe("an object"),
);

export const privacyRuleChanges = z.object({
  name: optional(name),
  key_pattern: clearable(pattern),
  value_pattern: clearable(pattern),
  active: optional(boolean),
});

export const privacyRuleTest = z.object({
  rule: privacyRuleBody,
  /** The `id` of a kept event. */
  event_id: id,
});

export const privacyRuleAnswer = z.strictObject({
  /** Null for a built-in rule, which cannot be changed. */
  id: id.nullable(),
  name: z.string(),
  key_pattern: z.string().nullable(),
  value_pattern: z.string().nullable(),
  active: z.boolean(),
  built_in: z.boolean(),
  /** What a built-in rule removes, in words. */
  description: z.string().nullable(),
});

export type PrivacyRule = z.infer<typeof privacyRuleAnswer>;

/** A place in an event where the rule removes something, with the text before and after. */
const place = z.strictObject({ path: z.string(), before: z.string(), after: z.string() });

export const MAX_PLACES = 50;

export const privacyRuleTestAnswer = z.strictObject({
  /** How many values each rule removes, as in a kept event. */
  removed: z.record(z.string(), count),
  /** The first places, with texts of at most 500 characters. */
  places: z.array(place).max(MAX_PLACES),
});

export type PrivacyRuleTest = z.infer<typeof privacyRuleTestAnswer>;

const rule: PrivacyRule = {
  id: 4,
  name: "customer number",
  key_pattern: "(?i)^customer_?(id|no)$",
  value_pattern: "\\bK-\\d{6}\\b",
  active: true,
  built_in: false,
  description: null,
};

const builtIn: PrivacyRule = {
  id: null,
  name: "email",
  key_pattern: null,
  value_pattern: null,
  active: true,
  built_in: true,
  description: "email addresses",
};

const body = { name: rule.name, key_pattern: rule.key_pattern, value_pattern: rule.value_pattern };

/** Examples for the API reference. */
export const privacyRuleExamples = {
  PrivacyRule: { schema: privacyRuleAnswer, example: rule },
  PrivacyRuleBody: { schema: privacyRuleBody, example: body },
  PrivacyRuleChanges: { schema: privacyRuleChanges, example: { key_pattern: null, active: false } },
  PrivacyRuleTest: { schema: privacyRuleTest, example: { rule: body, event_id: 4211 } },
  PrivacyRuleTestResult: {
    schema: privacyRuleTestAnswer,
    example: {
      removed: { "customer number": 1 },
      places: [
        {
          path: "extra.note",
          before: "Refund for K-204117",
          after: "Refund for [removed: customer number]",
        },
      ],
    },
  },
  PrivacyRules: {
    schema: z.strictObject({
      data: z.array(privacyRuleAnswer),
      meta: z.strictObject({ next_cursor: z.null() }),
    }),
    example: { data: [builtIn, rule], meta: { next_cursor: null } },
  },
};
