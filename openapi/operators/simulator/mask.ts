import { isObject } from '../../reading/json.ts'

/** The part of a request that the log may show. */
export interface Masker {
  body(value: unknown): unknown
  headers(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Readonly<Record<string, string>>
}

/** Enough to recognise it. */
const SHOWN_CHARACTERS = 4
const ALWAYS = ['authorization', 'cookie', 'set-cookie']

/** @param secrets names of fields and headers, in lower case */
export function masker(secrets: readonly string[]): Masker {
  const isSecret = (name: string): boolean => [...ALWAYS, ...secrets].includes(name.toLowerCase())
  const masked = (text: string): string => {
    const [word = '', rest] = text.split(' ', 2)
    // `Basic …`: the scheme is no secret.
    if (rest !== undefined) return `${word} ${masked(rest)}`
    return text.length > 2 * SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : '…'
  }
  const body = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(body)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        isSecret(name) && typeof field === 'string' ? masked(field) : body(field),
      ]),
    )
  }
  return {
    body,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => {
          const text = String(value)
          return [name, isSecret(name) ? masked(text) : text]
        }),
      ),
  }
}
