import type { ApiReply } from './requests.ts'

const SHOWN_MAX = 120

/** Status and message, for a finding. */
export const reported = ({ status, message }: ApiReply): string => {
  const text = message.length > SHOWN_MAX ? `${message.slice(0, SHOWN_MAX)}…` : message
  return status === 0 ? 'no reply' : `${status} ${JSON.stringify(text)}`
}

/**
 * Everything that a reply shows to its client, without values that are new each time. @param variable replacement for
 * a name of the request
 */
export function shownBy({ status, reply }: ApiReply, ...variable: readonly string[]): string {
  const names = Object.keys(reply?.headers ?? {}).toSorted()
  const body = reply?.body.toString('utf8') ?? ''
  return JSON.stringify([status, names, variable.reduce((text, name) => text.replaceAll(name, '…'), body)])
}

/** The difference between two replies that must be equal; undefined: none. */
export function difference(one: ApiReply, other: ApiReply, ...variable: readonly string[]): string | undefined {
  if (shownBy(one, ...variable) === shownBy(other, ...variable)) return undefined
  const words = ({ message }: ApiReply): string => variable.reduce((text, name) => text.replaceAll(name, '…'), message)
  if (one.status !== other.status || words(one) !== words(other)) return `${reported(one)}, not ${reported(other)}`
  const namesOf = ({ reply }: ApiReply): readonly string[] => Object.keys(reply?.headers ?? {})
  const [mine, others] = [namesOf(one), namesOf(other)]
  const headers = [...mine, ...others].filter((name) => !mine.includes(name) || !others.includes(name))
  return headers.length > 0
    ? `${reported(one)} with other headers (${headers.join(', ')})`
    : `${reported(one)} with another body`
}
