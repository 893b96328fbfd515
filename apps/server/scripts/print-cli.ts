// Writes docs/cli.md: the help of every command, as the program prints it. `npm run emit` runs it.

import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { createProgram } from "../src/cli/program.js";

const width = 100;

/** Returns the commands that do something, each with the words that call it. The operations of `call` are in the API's document. */
function leaves(command: Command, words: readonly string[]): readonly (readonly [string, Command])[] {
  if (command.name() === "call") return [];
  if (command.commands.length === 0) return [[words.join(" "), command]];
  return command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
}

/** Returns what `--help` prints, without that option, the usage, which the heading has, and the commands, which have headings too. */
function help(command: Command): string {
  return command
    .helpInformation()
    .replace(/^Usage: .*\n\n/, "")
    .replace(/^ +-h, --help .*\n/m, "")
    .replace(/\nArguments:\n +id +id of the \w+\n(?=\n|$)/, "")
    .replace(/\nOptions:\n(?=\n|$)/, "")
    .replace(/\nCommands:\n[^]*/, "")
    .trimEnd();
}

const argumentsOf = ({ registeredArguments }: Command): string =>
  registeredArguments
    .map((argument) => {
      const name = argument.name().toUpperCase();
      return argument.required ? ` ${name}` : ` [${name}]`;
    })
    .join("");

const program = createProgram({ getOutHelpWidth: () => width, getOutHasColors: () => false });
const fenced = (command: Command): string => `\`\`\`text\n${help(command)}\n\`\`\`\n`;

const page = [
  `# The command line

For operators and scripts. In a clone the command is \`./kalends\`, and relative paths start at the root of the clone. Commands use the database of \`DATABASE_URL\`; a server on it may run, except for \`restore\`
and \`move\`. A command prints JSON, on a terminal indented unless \`--json\` is given. The exit code is 0 on success, 1 on failure, and 2 for wrong usage, such as an unknown command, a missing option or an invalid value.

\`kalends call\` runs any operation of the API with the parameters that it has there, and prints its response; \`kalends call --help\` lists the operations,
\`kalends call createEvent --help\` the parameters of \`createEvent\`. Refusals name the options: \`--start_date: …\`.

\`npm run emit\` prints this page.
`,
  fenced(program),
  ...leaves(program, ["kalends"]).map(
    ([name, command]) => `## ${name}${argumentsOf(command)}\n\n${fenced(command)}`,
  ),
];
writeFileSync(new URL("../../../docs/cli.md", import.meta.url), page.join("\n"));
