import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'

const SHOWN_MAX = 160

/** The operation and the status: what a defect of messages is told apart by. */
export const subject = ({ operation, exchange: { reply } }: ObservedExchange): string =>
  `${operation?.id ?? 'no operation'} ${reply.status}`

export const shownText = (message: string): string => JSON.stringify(message.slice(0, SHOWN_MAX))

/** A message that the contract does not have, or that is not so. @param why in words that follow it */
export const strangeWords = (
  { exchange: { reply } }: ObservedExchange,
  message: string,
  why: string,
): readonly Fault[] =>
  faultIf(
    true,
    `words ${reply.status} ${formOf(message)}`,
    `the message of a reply ${reply.status}, ${shownText(message)}, ${why}`,
  )

/** Ignores values, so that one cause is one finding. */
const formOf = (message: string): string => message.replaceAll(/\([^)]*\)|\d+/g, '#').slice(0, 40)

/** A repeated name may be reported before or after a missing field: programs parse JSON in one step or in two. */
export function firstFaults(wanted: readonly string[], seen: ObservedExchange, message: string): readonly Fault[] {
  const came = clean(message)
  return faultIf(
    !wanted.some((text) => clean(text) === came),
    `first fault ${subject(seen).split(' ')[0]} ${wanted[0]?.split(' ')[0]}`,
    `the message of a reply 400 is ${shownText(message)}; by the contract the first thing wrong with the request is ${wanted.map(shownText).join(' or ')}`,
  )
}

/** A message that is not one line of text is reported elsewhere. */
const clean = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, '?')
