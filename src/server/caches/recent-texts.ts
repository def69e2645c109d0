/**
 * A cache of values by text, limited by the total length of its texts, so that clients cannot fill the memory. When it is
 * full, the less recently used half is dropped.
 */
export class RecentTexts<Value> {
  readonly #mostCharacters: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();
  #characters = 0;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  get(text: string): Value | undefined {
    const newer = this.#newer.get(text);
    if (newer !== undefined) return newer;
    const older = this.#older.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  /** `characters` is the length of the text and of everything that the value contains. */
  set(text: string, value: Value, characters = text.length): void {
    if (!this.#newer.has(text)) this.#characters += characters;
    if (this.#characters > this.#mostCharacters / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = characters;
    }
    this.#newer.set(text, value);
  }
}
