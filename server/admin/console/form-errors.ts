/** The field that a message begins with, by the names of the contract; empty where it is about the whole form. */
export const fieldNamed = (message: string, names: readonly string[]): string =>
  names.find((name) => message.startsWith(`${name} `)) ?? ''

/** Why a change was refused, for its form: beside the field that the message begins with, or above the form. */
export const formErrors = (message: string, names: readonly string[]): Readonly<Record<string, string>> => ({
  [fieldNamed(message, names)]: message,
})

/** The fields of a form as they were typed, without spaces around them; an empty one is absent. */
export const typed = (fields: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...fields].map(([name, value]) => [name, value.trim().normalize('NFC')]).filter(([, value]) => value !== ''),
  ) as Readonly<Record<string, string>>
