import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import { sentencesOf } from '../../harness/declared-words.ts'
import { shownText } from './message-faults.ts'

/** 401 names the missing key, in the order in which the contract requires them; otherwise it says that one is wrong. */
export function keyFaults(seen: ObservedExchange, message: string): readonly Fault[] {
  const {
    operation,
    exchange: { request },
  } = seen
  const missing = operation?.keys.find(({ header }) => (request.headers[header]?.join('') ?? '') === '')
  const refusal = operation?.responses.find(({ status }) => status === '401')
  const wanted = missing
    ? [`${missing.header} is required`]
    : sentencesOf(refusal ?? { examples: [] })
        .map(({ text }) => text)
        .filter((text) => !text.endsWith('is required'))
  return faultIf(
    !wanted.includes(message),
    `words 401 ${missing?.header ?? 'wrong'}`,
    `the message of a reply 401 to a request with ${missing ? `no ${missing.header}` : 'all keys'} is ${shownText(message)}, not ${wanted.map(shownText).join(' or ')}`,
  )
}
