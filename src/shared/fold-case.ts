/**
 * Folds the case of A to Z and nothing else: the only rule by which addresses and usernames are the same. Unicode has
 * letters that equal an ASCII letter in one language, program or version but not in the next, so that another person's
 * address could pass for one's own. PostgreSQL's function `fold_case` does the same.
 */
export const foldCase = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
