import type { Random } from "./seeded-random.ts";

const TITLES = [
  "I can't find the opening hours", "Nothing happens when I tap the button", "The price is different than before",
  "Please show the weight as well", "It takes forever to load", "I get a blank page", "Please add a dark mode",
  "The date is off by one day", "My address is rejected", "The text is too small", "I keep getting signed out",
  "Two entries look identical", "I'd like to sort by distance", "The photo shows the wrong bike",
]; // oxfmt-ignore

const TEXTS = [
  "I tried three times today, on my phone and on my laptop, with the same result. See the attached screenshot if there is one.",
  "This worked until last week. Now I have to call the store every time, which wastes everybody's time.",
  "Not urgent, but it would save me time. I use this about twenty times a day.",
  "What I did:\n\n1. Signed in\n2. Followed the link in the email\n3. Waited a minute\n\nThen I gave up.",
  "A coworker says it happens to everyone with an older phone. Ours are from 2021.",
  "Customers ask me about this every day and I don't know what to tell them. Are there any plans?",
];

const AUTHORS = [
  "Wim de Boer",
  "Elif Kaya",
  "Marta Kowalska",
  "Tim Bauer",
  "Ingrid Solheim",
  "Ana Ferreira",
  "George Hill",
  "Petra Novak",
  "Yusuf Demir",
  "Rosa Conti",
];

export type ReportText = { title: string; description: string; author: string };

/** Titles repeat only after all combinations have been used. */
export function reportTexts(screens: string[], count: number, random: Random): ReportText[] {
  const titles = random.shuffled(TITLES.flatMap((start) => screens.map((screen) => `${start} ${screen}`)));
  return Array.from({ length: count }, (_, index) => ({
    title: titles[index % titles.length] as string,
    description: random.pick(TEXTS),
    author: random.pick(AUTHORS),
  }));
}

export const NOTES: Record<string, string[]> = {
  "not-planned": [
    "We considered it, but too few customers would benefit. Not this year.",
    "Depends on the new scales, which we get next summer.",
  ],
  duplicate: ["Same as the report from last Tuesday.", "We already have an issue for this."],
  "already-shipped": [
    "Available since the release before last. Please update the app.",
    "This is already in Settings, under Display.",
  ],
  invalid: ["A question about an order. Forwarded to support.", "Test entry."],
};
