import type { Random } from "./random.ts";

const TITLES = [
  "I cannot find the opening hours", "Nothing happens when I press the button", "The price is another one than before",
  "Please show the weight as well", "It takes ages to load", "I get a blank page", "Could there be a dark mode",
  "The date is wrong by a day", "My address is refused", "The text is too small", "It signs me out again and again",
  "Two entries look the same", "I would like to sort by distance", "The picture does not belong to the bike",
]; // oxfmt-ignore

const TEXTS = [
  "I tried it three times today, on my phone and on the laptop. Both the same. I have marked it in the picture.",
  "It used to work until last week. Since then I have to call the shop every time, which costs all of us time.",
  "Not urgent, but it would make my day a little easier. I use this about twenty times a day.",
  "What I did:\n\n1. Signed in\n2. Opened the page from the mail\n3. Waited a minute\n\nThen I gave up.",
  "My colleague at the counter says it is the same for everybody with an older phone. Ours are from 2021.",
  "Customers ask me about it every day and I have no good answer. Is there a plan for this?",
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

/** No title twice while there are combinations left. */
export function reportTexts(places: string[], count: number, random: Random): ReportText[] {
  const titles = random.shuffled(TITLES.flatMap((start) => places.map((place) => `${start} ${place}`)));
  return Array.from({ length: count }, (_, index) => ({
    title: titles[index % titles.length] as string,
    description: random.pick(TEXTS),
    author: random.pick(AUTHORS),
  }));
}

export const NOTES: Record<string, string[]> = {
  "not-planned": [
    "We looked at it and will not do it this year: few would gain by it.",
    "Depends on the new scales, which come in summer.",
  ],
  duplicate: ["Same as the report of last Tuesday.", "Tracked already."],
  "already-shipped": [
    "Out since the release before last. An update of the app brings it.",
    "It is in the settings, under Display.",
  ],
  invalid: ["A question about an order. Passed on to support.", "Test entry."],
};
