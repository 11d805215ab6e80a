/**
 * A value that our own rules make certain, where the types cannot know: the row of a statement that always gives one, a
 * map's entry for a key that was put there. @throws Error that names what is missing: a rule of ours is broken then
 */
export function present<Value>(value: Value, what: string): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`missing: ${what}`)
  return value
}
