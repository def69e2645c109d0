/** What the team and the author of a report write to each other on its status page, the author first. */
export const CONVERSATIONS = [
  [
    "It happened again this morning, now on my tablet as well.",
    "Thank you, that helps. We can reproduce it and are **working on it**.",
  ],
  [
    "Is there anything I can do until this is fixed?",
    "For now, please sign out and in again:\n\n1. Open your account\n2. Choose *Sign out*\n3. Sign in with your email address",
    "That works, thank you!",
  ],
  ["I forgot to say that I use the app in Dutch.", "Good to know. Which version of the app do you have?"],
];
