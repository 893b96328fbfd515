import { Argument, type Command } from "commander";
import { command } from "./arguments.js";
import { print } from "./print.js";

export function addCompletion(program: Command): void {
  command(program, "completion", "print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .addHelpText(
      "after",
      '\nFor this shell alone: eval "$(kalends completion bash)" in bash and zsh, kalends completion fish | source in fish.',
    )
    .action((shell: string) => print(scripts[shell]?.(placesOf(program, [])) ?? ""));
}

/** What can follow a command. */
interface Place {
  /** The words of the command after `kalends`, with blanks between them. */
  readonly route: string;
  readonly candidates: readonly string[];
  /** Whether an argument of any text comes next, such as a file: options are then offered after a dash. */
  readonly isOpen: boolean;
  /** Options with a value, and the values that they take where these are few. */
  readonly valued: readonly (readonly [option: string, choices: readonly string[]])[];
}

function placesOf(of: Command, words: readonly string[]): readonly Place[] {
  const help = of.createHelp();
  const children = help.visibleCommands(of).filter((child) => of.commands.includes(child)); // without "help"
  const options = help.visibleOptions(of).map(({ long, required, argChoices }) => {
    return { long: long ?? "", required, choices: argChoices ?? [] };
  });
  const place = {
    route: words.join(" "),
    candidates: [
      ...children.map((child) => child.name()),
      ...of.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ...options.map(({ long }) => long),
    ],
    isOpen: of.registeredArguments.some(({ argChoices }) => argChoices === undefined),
    valued: options.flatMap(({ long, required, choices }) => (required ? [[long, choices] as const] : [])),
  };
  return [place, ...children.flatMap((child) => placesOf(child, [...words, child.name()]))];
}

const scripts: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: (places) => `_kalends() {
  local word next route="" found=""
  local last="\${COMP_WORDS[COMP_CWORD-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${cases(places)}
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _kalends kalends`,

  zsh: (places) => `#compdef kalends
_kalends() {
  local word next route="" found="" last="\${words[CURRENT-1]}" current="\${words[CURRENT]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
${cases(places)}
  if [[ -n "$found" ]]; then compadd -- \${=found}; else _files; fi
}
if [[ "\${funcstack[1]}" = _kalends ]]; then _kalends "$@"; else compdef _kalends kalends; fi`,

  fish: (places) => `function __kalends_candidates
  set -l words (commandline -opc)
  set -l route
  set -l found
  for word in $words[2..]
    set -l next (string trim -- "$route $word")
    switch $next
      case ${routes(places).join(" ")}
        set route $next
    end
  end
  switch "$route"
${places.map(({ route, candidates }) => `    case "${route}"\n      set found ${candidates.join(" ")}`).join("\n")}
  end
  switch "$route"
    case ${openRoutes(places).join(" ")}
      string match -q -- '-*' (commandline -ct); or set found
  end
  switch "$words[-1]"
    case ${valuedOptions(places).join(" ")}
      set found
  end
  switch "$route $words[-1]"
${choices(places)
  .map(([at, values]) => `    case "${at}"\n      set found ${values.join(" ")}`)
  .join("\n")}
  end
  test -n "$found"; and printf '%s\\n' $found
end
complete -c kalends -a '(__kalends_candidates)'`,
};

/** What bash and zsh write in the same way, from the body of the loop over the words on. */
function cases(places: readonly Place[]): string {
  return `    next="\${route:+$route }$word"
    case "$next" in
      ${routes(places).join("|")}) route="$next" ;;
    esac
  done
  case "$route" in
${places.map(({ route, candidates }) => `    "${route}") found="${candidates.join(" ")}" ;;`).join("\n")}
  esac
  case "$route" in
    ${openRoutes(places).join("|")}) [[ "$current" == -* ]] || found="" ;;
  esac
  case "$last" in
    ${valuedOptions(places).join("|")}) found="" ;;
  esac
  case "$route $last" in
${choices(places)
  .map(([at, values]) => `    "${at}") found="${values.join(" ")}" ;;`)
  .join("\n")}
  esac`;
}

function routes(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ route }) => (route === "" ? [] : [`"${route}"`]));
}

function openRoutes(places: readonly Place[]): readonly string[] {
  return routes(places.filter(({ isOpen }) => isOpen));
}

function valuedOptions(places: readonly Place[]): readonly string[] {
  return [...new Set(places.flatMap(({ valued }) => valued.map(([option]) => option)))];
}

function choices(places: readonly Place[]): readonly (readonly [at: string, values: readonly string[]])[] {
  return places.flatMap(({ route, valued }) =>
    valued.flatMap(([option, values]) =>
      values.length > 0 ? [[`${route} ${option}`, values] as const] : [],
    ),
  );
}
