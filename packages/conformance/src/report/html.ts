import type { CheckResult, Exchange, Report } from "../types.js";
import { isBad } from "./causes.js";

/** One file, without network: every check with every exchange, foldable, failures open. The same report, the same bytes. */
export function html(report: Report): string {
  const profiles = [...new Set(report.results.map(({ profile }) => profile))];
  const sections = profiles.map((profile) => {
    const results = report.results.filter((result) => result.profile === profile);
    return `<h2 id="${escape(profile)}">${escape(profile)}</h2>\n${results.map(check).join("")}`;
  });
  const { verdict, summary, baseUrl, startedAt, durationMs, seed, runId, leftovers } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${escape(baseUrl)}: ${escape(verdict)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Conformance of ${escape(baseUrl)}</h1>
<p class="verdict ${verdict === "conforms" ? "passed" : "failed"}">${escape(summary)}</p>
<p>${escape(startedAt)}, ${(durationMs / 1_000).toFixed(1)} s, run ${escape(runId)}, seed ${seed}.${leftovers.length === 0 ? " Nothing was left behind." : ` Left behind: calendars ${escape(leftovers.join(", "))}.`}</p>
${table(report)}
${failed(report)}<nav>${profiles.map((profile) => `<a href="#${escape(profile)}">${escape(profile)}</a>`).join(" ")}</nav>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

function table({ counts }: Report): string {
  const rows = (["required", "recommended", "observed"] as const).map((level) => {
    const { passed, failed, known, skipped, broken, observed } = counts[level];
    return `<tr><th scope="row">${level}</th>${[passed, failed, known, skipped, broken, observed].map((count) => `<td>${count}</td>`).join("")}</tr>`;
  });
  const heads = ["level", "passed", "failed", "known", "not tested", "broken", "observed"];
  return `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** The failures, before all else, with links to their details. */
function failed({ results }: Report): string {
  const items = results
    .filter(isBad)
    .map(
      ({ id, level, clause, title, status, message = "" }) =>
        `<li class="${status}"><a href="#${escape(id)}">${escape(title)}</a> <small>${escape(id)} · ${level} · ${escape(clause)}</small><br>${escape(message.split("\n")[0] ?? "")}</li>\n`,
    );
  return items.length === 0 ? "" : `<h2>Failed</h2>\n<ul>\n${items.join("")}</ul>\n`;
}

function check(result: CheckResult): string {
  const { id, level, clause, sentence, title, status, message, reason, known, exchanges, durationMs } =
    result;
  const open = isBad(result) ? " open" : "";
  const note = known === undefined ? (message ?? reason) : `known failure (${known}): ${message ?? ""}`;
  return `<details id="${escape(id)}" class="check ${status}"${open}><summary><b>${status}</b> ${escape(title)} <small>${escape(id)} · ${level} · ${escape(clause)} · ${durationMs} ms</small></summary>
<p>${escape(clause)}: ${escape(sentence)}</p>
${note === undefined || note === "" ? "" : `<pre class="note">${escape(note)}</pre>`}${exchanges.map(exchange).join("")}</details>
`;
}

function exchange(one: Exchange): string {
  const answer = one.error === undefined ? `HTTP ${one.status}` : `no answer: ${one.error}`;
  const headers = Object.entries(one.headers).map(([name, value]) => `${name}: ${value}`);
  return `<details><summary><code>${escape(one.method)} ${escape(shorten(one.url))}</code> ${escape(answer)} <small>${one.durationMs} ms</small></summary>
<pre>${escape(one.curl)}</pre>
<pre>${escape([answer, ...headers, "", one.body].join("\n"))}</pre></details>
`;
}

function shorten(url: string): string {
  return url.length > 160 ? `${url.slice(0, 160)}…` : url;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; } main { max-width: 70rem; margin: auto; padding: 1rem; }
summary { cursor: pointer; padding: .15rem 0; } small { opacity: .75; }
details details, details > p { margin-left: 1.5rem; } details > p { margin-block: .2rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .5rem; border-radius: .3rem; }
.verdict { font-size: 1.2rem; padding: .5rem 1rem; border-left: .4rem solid; }
.passed > summary b, p.passed { color: #177a3c; } .failed > summary b, .broken > summary b, p.failed { color: #c62828; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem; border-bottom: 1px solid #8884; text-align: right; } th[scope=row] { text-align: left; }
nav a { margin-right: .8rem; }
@media (prefers-color-scheme: dark) { .passed > summary b, p.passed { color: #6fd08f; } .failed > summary b, .broken > summary b, p.failed { color: #ff8a80; } }
@media print { nav { display: none; } }
`;
