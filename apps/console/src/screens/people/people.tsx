import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLoaded } from "../../api/loading.js";
import { listPeople, type Person, removePerson, renewLink } from "../../api/people.js";
import type { Session } from "../../api/session.js";
import { useSubmit } from "../../api/submitting.js";
import { Confirm, Dialog } from "../../parts/dialog.js";
import { CopyField } from "../../parts/fields.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { useTitle } from "../../parts/title.js";
import { t } from "../../texts/current.js";
import { Invite } from "./invite.js";

/** Who may change what. */
export function People({ session }: { readonly session: Session }): JSX.Element {
  useTitle(t.people.title);
  const { value, error, reload } = useLoaded(["people"], listPeople);
  const [invites, setInvites] = useState(false);
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.people.title}</h1>
        <button type="button" onClick={() => setInvites(true)}>
          {t.people.invite}
        </button>
      </div>
      <p class="soft">{t.people.lead}</p>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      {value === undefined || value.length === 0 ? undefined : (
        <ul class="card rows">
          {value.map((person) => (
            <Row key={person.id} person={person} isYou={person.id === session.person.id} />
          ))}
        </ul>
      )}
      {invites ? <Invite onClose={() => setInvites(false)} /> : undefined}
    </div>
  );
}

function Row({ person, isYou }: { readonly person: Person; readonly isYou: boolean }): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const [link, setLink] = useState("");
  const roles = [...new Set(person.grants.map(({ role }) => t.people.shortRoles[role]))].join(", ");
  const remove = async (): Promise<void> => {
    setAsks(false);
    const done = await submit.run(() => removePerson(person.id).then(() => true));
    if (done !== undefined) notify(t.people.removed(person.name));
  };
  const renew = async (): Promise<void> => setLink((await submit.run(() => renewLink(person.id))) ?? "");
  return (
    <li class="row">
      <div>
        <p class="row-title" dir="auto">
          {person.name} {isYou ? <span class="badge">{t.people.you}</span> : undefined}
        </p>
        <p class="soft">{roles}</p>
        <Failure text={submit.failure} />
      </div>
      <div class="row-actions">
        <button type="button" class="quiet" onClick={() => void renew()}>
          {t.people.newLink}
        </button>
        {isYou ? undefined : (
          <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
            {t.people.remove}
          </button>
        )}
      </div>
      {link === "" ? undefined : (
        <Dialog title={t.people.newLink} onClose={() => setLink("")}>
          <p>{person.status === "invited" ? t.people.linkText : t.people.signInText}</p>
          <CopyField label={t.people.newLink} value={link} />
        </Dialog>
      )}
      {asks ? (
        <Confirm
          title={t.people.remove}
          text={t.people.removeSure(person.name)}
          action={t.people.remove}
          isDanger
          onConfirm={() => void remove()}
          onClose={() => setAsks(false)}
        />
      ) : undefined}
    </li>
  );
}
