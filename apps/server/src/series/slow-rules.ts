import { createTurns } from "../db/turns.js";
import { expand, expandAtOnce, type Expansion, type ExpandOptions, type Refusal } from "./expand.js";
import { planOf, type StoredRule } from "./plan.js";

/** Returns the places that the rule of a series names. */
export type FollowRule = (series: StoredRule, options: ExpandOptions) => Expansion | Refusal;

/** A rule takes too long to be followed within a transaction. */
class NotFollowed extends Error {
  readonly follow: () => Promise<void>;

  constructor(follow: () => Promise<void>) {
    super("the rule is followed outside the transaction");
    this.follow = follow;
  }
}

/** Accounts take turns: their rules share the processor. */
const turns = createTurns({ most: 1, mostOfOne: 1, mostWaitingOfOne: 256, patienceMs: 5_000 });

/**
 * Runs a transaction that follows rules, so that others never wait for a rule that takes long: it is rolled back, the rule is
 * followed, and the transaction runs again. Where what the rule depends on has changed meanwhile, it is another rule.
 * @param owner the account or calendar whose rules they are
 */
export async function followingRules<T>(
  owner: string | number,
  transaction: (follow: FollowRule) => Promise<T>,
): Promise<T> {
  const followed = new Map<string, Expansion | Refusal>();
  const follow: FollowRule = (series, options) => {
    const plan = planOf(series);
    const key = JSON.stringify([plan, options]);
    const found = followed.get(key) ?? expandAtOnce(plan, options);
    if (found !== undefined) return found;
    throw new NotFollowed(async () => {
      followed.set(key, await turns.run(owner, () => expand(plan, options)));
    });
  };
  for (;;) {
    try {
      return await transaction(follow);
    } catch (error) {
      if (!(error instanceof NotFollowed)) throw error;
      await error.follow();
    }
  }
}
