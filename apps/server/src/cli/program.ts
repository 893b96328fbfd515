import { type Command, CommanderError, type OutputConfiguration } from "commander";
import { version } from "../about.js";
import type { Database } from "../db/open-database.js";
import { rescheduleEvents } from "../events/rezone.js";
import { serve } from "../process/lifecycle.js";
import { startFailure } from "../process/start-failure.js";
import { settingWarnings, useEnvFile } from "../settings/config.js";
import { tzdataVersion } from "../time/zones.js";
import { addAccounts, addTokens } from "./accounts.js";
import { command, databaseUrl, type Json, ReportingCommand } from "./arguments.js";
import { backup, restore } from "./backup.js";
import { addCalendars } from "./calendars.js";
import { addCall } from "./call.js";
import { addCompletion } from "./completion.js";
import { printableLines, type Report, reports, withDatabase, withUrl } from "./database.js";
import { makeDemo, removeDemo } from "./demo.js";
import { runDoctor } from "./doctor.js";
import { addEvents } from "./events.js";
import { type MoveOptions, runMove } from "./move.js";
import { print } from "./terminal.js";
import { addPeople } from "./people.js";
import { addSubscribers } from "./subscribers.js";
import { addWebhooks } from "./webhooks.js";

/** Builds the command line. Parsing an unknown command or option writes a hint to stderr and throws a CommanderError. */
export function createProgram(output: OutputConfiguration = {}): Command {
  const program = new ReportingCommand("kalends")
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
    .showHelpAfterError("(--help lists the commands and options)")
    .exitOverride()
    .addHelpText("after", "\nSettings are listed in the file .env.example of this release.");
  program.hook("preAction", (_program, action) => {
    const { envFile }: { readonly envFile?: string } = program.opts();
    // The service manager gives the server its settings; the file may be for its eyes only.
    if (envFile !== undefined || action.name() !== "serve") useEnvFile(envFile);
    // Those two show the warnings themselves.
    if (!["serve", "doctor"].includes(action.name()))
      for (const warning of settingWarnings()) console.error(warning);
  });
  addServer(program);
  addStart(program);
  addAccounts(program);
  addTokens(program);
  addPeople(program);
  addCalendars(program);
  addEvents(program);
  addSubscribers(program);
  addWebhooks(program);
  addCall(program);
  addUpkeep(program);
  addCompletion(program);
  return program;
}

function addServer(program: Command): void {
  command(program, "serve", "run the server until SIGTERM or Ctrl-C").action(serve);
  command(program, "migrate", "apply pending schema migrations")
    .option("--json", "print one JSON line")
    .action((options: Json) =>
      withDatabase((_db, _now, { applied }) => Promise.resolve(migrated(applied)), {
        ...options,
        mayCreate: true,
      }),
    );

  const move = command(
    program,
    "move",
    "copy all data into an empty database, for example from SQLite to PostgreSQL",
  );
  move
    .requiredOption(
      "--from <url>",
      "the database to copy; no server may write to it",
      databaseUrl(move, "--from"),
    )
    .requiredOption(
      "--to <url>",
      "an empty database, or the target of an interrupted run",
      databaseUrl(move, "--to"),
    )
    .option("--check", "only compare the two databases, row by row")
    .option("--json", "print one JSON line")
    .action((options: MoveOptions) => runMove(options));

  command(program, "backup", "copy the database into a new file; the server may run")
    .argument("<file>", "name of the new file")
    .option("--json", "print one JSON line")
    .action((file: string, options: Json) => withUrl((url) => backup(url, file), options));
  command(program, "restore", "replace the database with a backup; no server may run")
    .argument("<file>", "the backup file")
    .option("--json", "print one JSON line")
    .action((file: string, options: Json) => withUrl((url, now) => restore(url, file, now), options));
}

/** Hints at serve: people try this name, which is not similar enough to it for commander's own hint. */
function addStart(program: Command): void {
  program
    .command("start", { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => program.error("error: unknown command 'start'\n(Did you mean serve?)"));
}

function addUpkeep(program: Command): void {
  command(program, "doctor", "check the settings, the databases, the disk, the clock and PUBLIC_URL")
    .option("--json", "print one JSON line")
    .action((options: Json) => runDoctor(options));
  const zones = command(program, "zones", "time zones");
  const rescheduled =
    "reschedule future events with the current zone data; the server does so when it starts";
  reports(command(zones, "update", rescheduled), updateZones);

  const made =
    "create an account with two calendars, real events and a few subscribers; a second run adds only what is missing";
  command(program, "demo", made)
    .option("--remove", "delete that account with all that it has")
    .option("--yes", "with --remove: delete without asking")
    .option("--json", "print one JSON line")
    .action(({ remove = false, ...options }: Json & { remove?: boolean; yes?: boolean }) =>
      withDatabase((db, now) => (remove ? removeDemo(db, options, now) : makeDemo(db, now)), {
        ...options,
        mayCreate: !remove,
      }),
    );
}

function migrated(applied: readonly string[]) {
  const text = applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`;
  return { json: { applied }, text };
}

/** Runs a command line and sets the exit code: 0 success, 1 failure, which it prints, 2 unknown command or option. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      console.error(printableLines(startFailure(error)));
      process.exitCode = 1;
    }
  }
}

/**
 * For the errors of stdout, which console.log ignores: a token that is shown once would be lost on a full disk, without a word. A
 * closed pipe is no failure.
 */
export function failOnLostOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  console.error(`What the command printed was not written: ${error.message}. What it did is done.`);
  process.exitCode = 1;
}

/** Reschedules every future event from its wall clock, even when the stored tzdata version is current. */
async function updateZones(db: Database, now: number): Promise<Report> {
  const rescheduled = await rescheduleEvents(db, now);
  return {
    json: { tzdata_version: tzdataVersion, moved: rescheduled },
    text: `Zone data ${tzdataVersion}: ${rescheduled === 1 ? "1 event" : `${rescheduled} events`} rescheduled.`,
  };
}
