/** The number of '' in every table. */
export const NO_TEXT = 0;

/** The string table of a trace: every text once, numbered in the order of appearance; '' is there from the start. */
export class StringTable {
  private readonly texts = [''];
  private readonly numbers = new Map([['', NO_TEXT]]);

  /** The number of `text`; given on first use. */
  add(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.texts.push(text);
    this.numbers.set(text, number);
    return number;
  }

  /** The number of `text`, -1 when it is not there. */
  find(text: string): number {
    return this.numbers.get(text) ?? -1;
  }

  toArray(): readonly string[] {
    return this.texts.slice();
  }
}
