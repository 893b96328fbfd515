import { Argument, type Command } from "commander";
import { command } from "./arguments.js";
import { print } from "./terminal.js";

export function addCompletion(program: Command): void {
  command(program, "completion", "print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .action((shell: string) => print(scripts[shell]?.(followersOf(program, [])) ?? ""));
}

/** What can follow the words of a command, or a command and its last option: nothing known after one that takes any value. */
type Followers = readonly (readonly [words: string, followers: string])[];

function followersOf(of: Command, words: readonly string[]): Followers {
  const help = of.createHelp();
  const children = help.visibleCommands(of).filter((child) => of.commands.includes(child)); // without "help"
  const options = help.visibleOptions(of);
  const named = [
    ...children.map((child) => child.name()),
    ...of.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...options.map(({ long }) => long ?? ""),
  ];
  const values = options.flatMap(({ long, required, argChoices = [] }) =>
    required ? [[`${words.join(" ")} ${long}`, argChoices.join(" ")] as const] : [],
  );
  const ofChildren = children.flatMap((child) => followersOf(child, [...words, child.name()]));
  return [[words.join(" "), named.join(" ")], ...values, ...ofChildren];
}

const scripts: Readonly<Record<string, (followers: Followers) => string>> = {
  bash: (followers) => `${casesOf(followers)}
_kalends() {
  local word route="" found last="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do ${step}; done
  COMPREPLY=($(compgen -W "$(${lookUp})" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kalends kalends`,

  zsh: (followers) => `#compdef kalends
${casesOf(followers)}
_kalends() {
  local word route="" last="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do ${step}; done
  compadd -- $(${lookUp}) || _files
}
if [[ "\${funcstack[1]}" = _kalends ]]; then _kalends "$@"; else compdef _kalends kalends; fi`,

  fish: (followers) => `function __kalends_followers
  switch "$argv[1]"
${followers.map(([words, found]) => `    case "${words}"\n      echo "${found}"`).join("\n")}
    case '*'
      return 1
  end
end
function __kalends
  set -l words (commandline -opc)
  set -l route
  for word in $words[2..]
    set -l next (string trim -- "$route $word")
    string match -qv -- '-*' $word; and __kalends_followers $next >/dev/null; and set route $next
  end
  set -l found (__kalends_followers "$route $words[-1]"; or __kalends_followers "$route")
  string split -n ' ' -- $found
end
complete -c kalends -a '(__kalends)'`,
};

/** A function that prints what follows, in bash and zsh. */
function casesOf(followers: Followers): string {
  const cases = followers.map(([words, found]) => `    "${words}") echo "${found}" ;;`);
  return ["_kalends_followers() {", '  case "$1" in', ...cases, "    *) return 1 ;;", "  esac", "}"].join(
    "\n",
  );
}

const step =
  '[[ $word != -* ]] && _kalends_followers "${route:+$route }$word" >/dev/null && route="${route:+$route }$word"';
const lookUp = '_kalends_followers "$route $last" || _kalends_followers "$route"';
