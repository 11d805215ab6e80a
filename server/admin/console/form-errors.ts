/**
 * Why a change was refused, for its form: beside the field that the message begins with, or above the form.
 * @param names of the fields, by the names that the contract gives them
 */
export const formErrors = (message: string, names: readonly string[]): Readonly<Record<string, string>> => ({
  [names.find((name) => message.startsWith(`${name} `)) ?? '']: message,
})

/** The fields of a form as they were typed, without spaces around them; an empty one is absent. */
export const typed = (fields: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...fields].map(([name, value]) => [name, value.trim().normalize('NFC')]).filter(([, value]) => value !== ''),
  ) as Readonly<Record<string, string>>

/** A form with this one other value in its address, for links to the next page. */
export function withQuery(path: string, query: URLSearchParams, name: string, value: string): string {
  const changed = new URLSearchParams(query)
  changed.set(name, value)
  return `${path}?${changed.toString()}`
}
