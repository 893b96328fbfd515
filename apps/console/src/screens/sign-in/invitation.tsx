import type { JSX } from "preact";
import { pictureAddress } from "../../api/root.js";
import type { LinkPurpose } from "../../api/session.js";
import { instantInWords } from "../../dates/words.js";
import { locale, t } from "../../texts/current.js";
import { rightsOf } from "./rights.js";

/** Whose calendars a link leads to, who sent it, and what one may do then: known before anything is accepted. */
export function Invitation({ of }: { readonly of: LinkPurpose }): JSX.Element {
  const { account, person, invited_by: inviter, joined, date_expires: until } = of;
  const club = account.name === "" ? t.app : account.name;
  const rights = rightsOf(of.grants, t.join, locale);
  return (
    <>
      {account.logo_id === "" ? undefined : (
        <img class="club-logo" src={pictureAddress(account.logo_id, 320)} alt="" />
      )}
      <h1>{joined ? t.join.again(club) : t.join.invited(club)}</h1>
      <p>{joined || inviter === "" ? t.join.hello(person) : t.join.by(person, inviter)}</p>
      {rights.length === 0 ? undefined : (
        <section class="rights">
          <h2>{t.join.may}</h2>
          {rights.map(({ where, what }) => (
            <p key={where}>
              <strong>{where}:</strong> {what}
            </p>
          ))}
        </section>
      )}
      <p class="hint">{t.join.until(instantInWords(locale, until))}</p>
    </>
  );
}
