/**
 * Asserts a value that our own rules guarantee and the types cannot express: the row of a statement that always
 * returns one, a map's entry for a key that was put there. @throws Error that names what is missing: then one of our
 * rules is broken
 */
export function present<Value>(value: Value, what: string): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`missing: ${what}`)
  return value
}
