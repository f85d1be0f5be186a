/** Where a command reads and writes; tests hand in their own. */
export interface Terminal {
  /** The whole of standard input. */
  readonly readStdin: () => string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}
