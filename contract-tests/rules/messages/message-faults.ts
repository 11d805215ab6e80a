import type { Fault, ObservedExchange } from '../observed-exchange.ts'

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
): readonly Fault[] => [
  {
    rule: `words ${reply.status} ${formOf(message)}`,
    what: `the message of a reply ${reply.status}, ${shownText(message)}, ${why}`,
  },
]

/** Ignores values, so that one cause is one finding. */
const formOf = (message: string): string => message.replaceAll(/\([^)]*\)|\d+/g, '#').slice(0, 40)
