/** What the command line's exit status means; docs/cli.md lists the same. */
export const EXIT = {
  ok: 0,
  /** What was checked did not hold: a recording differs. */
  failed: 1,
  /** Unknown command, option or value; or a file that cannot be read. */
  usage: 2,
  /** The input was read, and is not a scenario that can be simulated. */
  input: 3,
} as const;

/** Ends the command with a message on standard error. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
