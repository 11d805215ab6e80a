import type { Fault, ObservedExchange } from '../observed-exchange.ts'
import { shownText, subject } from './message-faults.ts'

/** A repeated name may be reported before or after a missing field: programs parse JSON in one step or in two. */
export function firstFaults(wanted: readonly string[], seen: ObservedExchange, message: string): readonly Fault[] {
  const came = clean(message)
  if (wanted.some((text) => clean(text) === came)) return []
  return [
    {
      rule: `first fault ${subject(seen).split(' ')[0]} ${wanted[0]?.split(' ')[0]}`,
      what: `the message of a reply 400 is ${shownText(message)}; by the contract the first thing wrong with the request is ${wanted.map(shownText).join(' or ')}`,
    },
  ]
}

/** A message that is not one line of text is reported elsewhere. */
const clean = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, '?')
