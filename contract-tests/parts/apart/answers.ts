import type { Answer } from './merchant.ts'

const SHOWN_MAX = 120

/** Status and message, for a finding. */
export const told = ({ status, message }: Answer): string => {
  const text = message.length > SHOWN_MAX ? `${message.slice(0, SHOWN_MAX)}…` : message
  return status === 0 ? 'no reply' : `${status} ${JSON.stringify(text)}`
}

/** All that a reply shows to who asked, but for values that are new each time. @param variable what stands in for a name of the request */
export function shownBy({ status, reply }: Answer, ...variable: readonly string[]): string {
  const names = Object.keys(reply?.headers ?? {}).toSorted()
  const body = reply?.body.toString('utf8') ?? ''
  return JSON.stringify([status, names, variable.reduce((text, name) => text.replaceAll(name, '…'), body)])
}

/** In what two replies that must be alike differ; undefined: in nothing. */
export function difference(one: Answer, other: Answer, ...variable: readonly string[]): string | undefined {
  if (shownBy(one, ...variable) === shownBy(other, ...variable)) return undefined
  const words = ({ message }: Answer): string => variable.reduce((text, name) => text.replaceAll(name, '…'), message)
  if (one.status !== other.status || words(one) !== words(other)) return `${told(one)}, not ${told(other)}`
  const namesOf = ({ reply }: Answer): readonly string[] => Object.keys(reply?.headers ?? {})
  const [mine, theirs] = [namesOf(one), namesOf(other)]
  const headers = [...mine, ...theirs].filter((name) => !mine.includes(name) || !theirs.includes(name))
  return headers.length > 0
    ? `${told(one)} with other headers (${headers.join(', ')})`
    : `${told(one)} with another body`
}
