import { concerning } from "../engine/assert.js";
import { idOf, idsOf, list, member } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import { isWrite, operations, type ContractName, contractNames } from "../engine/operations.js";
import type { Answer, CallOptions, Params } from "../engine/target.js";

/** The kind of request that a response belongs to. */
export type Kind = "success" | "no token" | "wrong token" | "missing" | "absent" | "method";

export interface Sample {
  readonly operation: ContractName;
  readonly kind: Kind;
  readonly answer: Answer;
}

const absent = "9007199254740991";
/** Returns the parameters of an operation with ids that do not exist; undefined when it needs no id. */
function absentParams(operation: ContractName): Params | undefined {
  const names = operations[operation].needs;
  if (!names.some((name) => name.endsWith("_id"))) return undefined;
  const texts: Params = { title: "Absent", start_date: someStart };
  const params = Object.fromEntries(names.map((name) => [name, texts[name] ?? absent]));
  return "title" in params ? { ...params, timezone: "Europe/Paris" } : params;
}

/** Operations that require a token. */
export const withToken: readonly ContractName[] = contractNames.filter((name) => name !== "listTimeZones");
/** Operations with a mandatory parameter beside the token. */
export const withMandatory: readonly ContractName[] = withToken.filter(
  (name) => operations[name].needs.length > 0,
);

/** One success and the common refusals of every operation, each asked as from a page of another origin. */
export const samples = fixture(async (kit): Promise<readonly Sample[]> => {
  const found: Sample[] = [];
  const ask = async (kind: Kind, operation: ContractName, params: Params = {}, options: CallOptions = {}) => {
    const headers = { Origin: "https://example.com", ...options.headers };
    const answer = await kit.call(operation, params, { ...options, headers });
    found.push({ operation, kind, answer });
    return answer;
  };
  const readOnly = kit.session.options.readOnly === true;
  const allowed = contractNames.filter((name) => !readOnly || !isWrite(name));
  await succeed(kit, (operation, params) => ask("success", operation, params));
  const wrong = { as: { token: `${kit.session.target.token}x` } };
  await Promise.all(
    allowed.flatMap((operation) => [
      ask("method", operation, {}, { method: "PUT" }),
      ...(withToken.includes(operation)
        ? [ask("no token", operation, {}, { as: "none" }), ask("wrong token", operation, {}, wrong)]
        : []),
      ...(withMandatory.includes(operation) ? [ask("missing", operation)] : []),
      ...(absentParams(operation) === undefined ? [] : [ask("absent", operation, absentParams(operation))]),
    ]),
  );
  return found;
});

/** Calls every operation successfully, as far as the run may write and has followers. */
async function succeed(
  kit: Kit,
  ask: (operation: ContractName, params?: Params) => Promise<Answer>,
): Promise<void> {
  const { readOnly, subscribersCalendar } = kit.session.options;
  await ask("listTimeZones");
  await ask("listCalendars");
  const lists = (calendar_id: string) =>
    Promise.all(
      (["listEvents", "listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers"] as const).map(
        (name) => ask(name, { calendar_id }),
      ),
    );
  if (subscribersCalendar !== undefined) {
    const [, { body } = { body: undefined }] = await lists(subscribersCalendar);
    const [subscriber_id] = idsOf(list(body, "subscribers"));
    if (subscriber_id !== undefined)
      await ask("getSubscriber", { calendar_id: subscribersCalendar, subscriber_id });
  }
  if (readOnly === true) return;
  const title = kit.name();
  const made = await ask("createCalendar", { title, timezone: "Europe/Paris" });
  const calendar_id = idOf(member(made.body, "calendar"));
  const event = await ask("createEvent", { calendar_id, title, start_date: someStart });
  const event_id = idOf(member(event.body, "event"));
  await lists(calendar_id);
  await ask("saveEvent", { event_id, title, start_date: someStart });
  await ask("saveCalendar", { calendar_id, title, timezone: "Europe/Paris" });
  await ask("deleteEvent", { event_id });
  await ask("deleteCalendar", { calendar_id });
}

/** The samples of these kinds; all when none is named. */
export async function samplesOf(kit: Kit, kinds: readonly Kind[] = []): Promise<readonly Sample[]> {
  return (await samples(kit)).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}

export const errorKinds: readonly Kind[] = ["no token", "wrong token", "missing", "absent", "method"];
/** Kinds for which a token was needed, and accepted. */
export const tokenKinds: readonly Kind[] = ["success", "missing", "absent"];

/** Does something with each sample; what fails names it. */
export async function eachSample(
  kit: Kit,
  kinds: readonly Kind[],
  judge: (sample: Sample, name: string) => void,
): Promise<void> {
  for (const sample of await samplesOf(kit, kinds))
    concerning(sample.answer.exchange, () => judge(sample, `${sample.operation} (${sample.kind})`));
}
