import { CONFORMANCE_HELP, conformanceCommand } from './conformance.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { PATH_HELP, pathCommand } from './path.ts';
import { REALITY_HELP, realityCommand } from './reality.ts';
import { SIMULATE_HELP, simulateCommand } from './simulate.ts';
import type { Terminal } from './terminal.ts';
import { WHY_HELP, whyCommand } from './why.ts';

const COMMANDS: Readonly<Record<string, (args: readonly string[], terminal: Terminal) => number>> = {
  simulate: simulateCommand,
  why: whyCommand,
  path: pathCommand,
  conformance: conformanceCommand,
  reality: realityCommand,
};

const HELP = `${SIMULATE_HELP}\n${WHY_HELP}\n${PATH_HELP}\n${CONFORMANCE_HELP}
${REALITY_HELP}
Exit status: ${EXIT.ok} done, ${EXIT.failed} a recording differs, ${EXIT.usage} wrong usage or unreadable file, ${EXIT.input} the input is no scenario.
`;

/** Runs one command of the product. Returns the exit status; never throws for what a user did. */
export function runCommand([name, ...args]: readonly string[], terminal: Terminal): number {
  if (name === undefined || name === 'help' || name === '--help') {
    terminal.out(HELP);
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = COMMANDS[name];
  if (!command) {
    terminal.err(`podtopool: unknown command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}\n`);
    return EXIT.usage;
  }
  try {
    return command(args, terminal);
  } catch (error) {
    if (error instanceof CommandError) {
      terminal.err(`podtopool: ${error.message}\n`);
      return error.exitCode;
    }
    // parseArgs says which option it does not know.
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      terminal.err(`podtopool ${name}: ${error.message}\n`);
      return EXIT.usage;
    }
    throw error;
  }
}
