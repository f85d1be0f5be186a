/** A decoded payload of some version, not checked yet. */
export type Json = Readonly<Record<string, unknown>>;
/** Entry n turns a payload of version n - 1 into version n. An old entry is never edited. */
export type Upgrades = Readonly<Record<number, (old: Json) => Json>>;

export const LINK_VERSION = 1;
const UPGRADES: Upgrades = {};

/**
 * Brings a payload of `version` to `target`, one step at a time; the schema check follows, on the newest shape only.
 * Throws an Error when a step is missing, which is a mistake of this program and not of the link.
 */
export function upgradePayload(payload: Json, version: number, upgrades = UPGRADES, target = LINK_VERSION): Json {
  let current = payload;
  for (let next = version + 1; next <= target; next++) {
    const upgrade = upgrades[next];
    if (!upgrade) throw new Error(`link: no upgrade to version ${next}`);
    current = upgrade(current);
  }
  return current;
}
