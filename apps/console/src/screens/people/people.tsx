import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useCalendars } from "../../api/calendars.js";
import { statusOf } from "../../api/failures.js";
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
        {statusOf(error) === 403 ? undefined : (
          <button type="button" onClick={() => setInvites(true)}>
            {t.people.invite}
          </button>
        )}
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

/** What the person may do where, and whether she has signed in. */
function useFacts(person: Person): string {
  const calendars = useCalendars().value;
  const nameOf = (id: string): string =>
    id === "" ? t.people.all : (calendars?.find((calendar) => calendar.id === id)?.title ?? "");
  const rights = person.grants.map(
    ({ role, calendar_id: id }) => `${t.people.shortRoles[role]}: ${nameOf(id)}`,
  );
  return [...rights, ...(person.status === "invited" ? [t.people.invited] : [])].join(" · ");
}

function Change({ person }: { readonly person: Person }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {t.people.change}
      </button>
      {isOpen ? <Invite person={person} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}

function Row({ person, isYou }: { readonly person: Person; readonly isYou: boolean }): JSX.Element {
  const submit = useSubmit();
  const [asks, setAsks] = useState(false);
  const [link, setLink] = useState("");
  const facts = useFacts(person);
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
        <p class="soft">{facts}</p>
        <Failure text={submit.failure} />
      </div>
      <div class="row-actions">
        {isYou || person.grants.length !== 1 ? undefined : <Change person={person} />}
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
