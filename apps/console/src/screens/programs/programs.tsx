import type { JSX } from "preact";
import { root } from "../../api/root.js";
import { isOwner, type Session } from "../../api/session.js";
import { useTitle } from "../../parts/title.js";
import { t } from "../../texts/current.js";
import { Tokens } from "./tokens.js";
import { Webhooks } from "./webhooks.js";

/** What lets other programs read and change the calendars of the account. */
export function Programs({ session }: { readonly session: Session }): JSX.Element {
  useTitle(t.programs.title);
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.programs.title}</h1>
      </div>
      <p class="soft">
        {t.programs.lead} <a href={`${root}/docs`}>{t.programs.docs}</a>
      </p>
      {isOwner(session) ? (
        <div class="sections">
          <Tokens />
          <Webhooks />
        </div>
      ) : (
        <p class="card state">{t.errors.forbidden}</p>
      )}
    </div>
  );
}
