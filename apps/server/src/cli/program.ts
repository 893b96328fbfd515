import { Command, CommanderError, type OutputConfiguration } from "commander";
import { version } from "../about.js";
import { serve } from "../process/lifecycle.js";
import { startFailure } from "../process/start-failure.js";
import { readConfig, settingWarnings, useEnvFile } from "../settings/config.js";
import { addAccounts, addTokens } from "./accounts.js";
import { command, databaseUrl, UsageError } from "./arguments.js";
import { backup, restore } from "./backup.js";
import { addCalendars } from "./calendars.js";
import { addCall } from "./call.js";
import { withDatabase } from "./database.js";
import { makeDemo, removeDemo } from "./demo.js";
import { runDoctor } from "./doctor.js";
import { type MoveOptions, runMove } from "./move.js";
import { print, printableLines, prints } from "./output.js";
import { addPeople } from "./people.js";
import { addSubscribers } from "./subscribers.js";

/** Builds the command line. Parsing an unknown command or option writes a hint to stderr and throws a CommanderError. */
export function createProgram(output: OutputConfiguration = {}): Command {
  const program = new Command("kalends")
    .configureOutput({
      writeOut: print,
      outputError: (text, write) => write(printableLines(text)),
      ...output,
    })
    .description(
      "Calendars that people follow: the server and its accounts. Settings come from the environment, then from the file.",
    )
    .version(version, "--version", "print the version")
    .option(
      "--env-file <file>",
      "file with settings (default: /etc/kalends.env where it exists; the server reads none by itself)",
    )
    .option("--json", "print one JSON line on a terminal too")
    .showHelpAfterError("(--help lists the commands and options)")
    .exitOverride()
    .addHelpText("after", "\nSettings are listed in the file .env.example of this release.");
  program.hook("preAction", (_program, action) => {
    const { envFile }: { readonly envFile?: string } = program.opts();
    // The service manager gives the server its settings; only the manager may be able to read the file.
    if (envFile !== undefined || action.name() !== "serve") useEnvFile(envFile);
    // These two commands show the warnings themselves.
    if (!["serve", "doctor"].includes(action.name()))
      for (const warning of settingWarnings()) console.error(warning);
  });
  addServer(program);
  addAccounts(program);
  addTokens(program);
  addPeople(program);
  addCalendars(program);
  addSubscribers(program);
  addCall(program);
  addUpkeep(program);
  return program;
}

function addServer(program: Command): void {
  command(program, "serve", "run the server until SIGTERM or Ctrl-C").action(serve);
  prints(command(program, "migrate", "apply pending schema migrations"), () =>
    withDatabase((_db, _now, applied) => Promise.resolve({ applied }), { mayCreate: true }),
  );

  const copies = "copy all data into an empty database, for example from SQLite to PostgreSQL";
  const move = command(program, "move", copies);
  move
    .requiredOption(
      "--from <url>",
      "the database to copy; no server may write to it",
      databaseUrl(move, "--from"),
    )
    .requiredOption("--to <url>", "an empty database", databaseUrl(move, "--to"));
  prints(move, (options: MoveOptions) => runMove(options));

  prints(
    command(program, "backup", "copy the database into a new file; the server may run").argument(
      "<file>",
      "name of the new file",
    ),
    (file: string) => backup(readConfig().DATABASE_URL, file),
  );
  prints(
    command(program, "restore", "replace the database with a backup; no server may run").argument(
      "<file>",
      "the backup file",
    ),
    (file: string) => restore(readConfig().DATABASE_URL, file, Math.floor(Date.now() / 1000)),
  );
}

function addUpkeep(program: Command): void {
  prints(
    command(
      program,
      "doctor",
      "check the settings, the databases, the disk, the clock, PUBLIC_URL and the mail server",
    ).option("--mail <address>", "also send a message to this address"),
    (options: { readonly mail?: string }) => runDoctor(options),
  );
  const made =
    "create an account with two calendars, real events and a few subscribers; a second run adds only what is missing";
  const demo = command(program, "demo", made)
    .option("--remove", "delete that account with all that it has")
    .option("--yes", "with --remove: delete it; without this the command names what would be lost");
  prints(demo, ({ remove = false, yes = false }: { readonly remove?: boolean; readonly yes?: boolean }) =>
    withDatabase<object>((db, now) => (remove ? removeDemo(db, { yes }, now) : makeDemo(db, now)), {
      mayCreate: !remove,
    }),
  );
}

/** Runs a command line and sets the exit code: 0 success, 1 failure, which it prints, 2 wrong usage. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      console.error(printableLines(startFailure(error)));
      process.exitCode = error instanceof UsageError ? 2 : 1;
    }
  }
}

/**
 * Handles errors of stdout, which console.log ignores: on a full disk a token that is shown once would be lost silently. A
 * closed pipe is no failure.
 */
export function failOnLostOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  console.error(`What the command printed was not written: ${error.message}. What it did is done.`);
  process.exitCode = 1;
}
