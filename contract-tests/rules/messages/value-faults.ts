import { faultIf, onlyHeader, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import { shownText, subject } from './message-faults.ts'
import { isOfRequest } from './sent-values.ts'

/** Whether the values in a message are those of this request and this reply. */
export function valueFaults(
  { value, number, path, seconds }: Readonly<Record<string, string | undefined>>,
  seen: ObservedExchange,
): readonly Fault[] {
  const { reply } = seen.exchange
  const values = [value, number].filter((each) => each !== undefined)
  const strange = values.find((each) => !isOfRequest(each, seen))
  const retryAfter = onlyHeader(reply.headers, 'retry-after')
  return [
    ...faultIf(
      strange !== undefined,
      `value ${subject(seen)}`,
      `the message of a reply ${reply.status} names ${shownText(strange ?? '')}, which is no value of the request`,
    ),
    ...faultIf(
      path !== undefined && /^[\w/.-]+$/.test(seen.path) && !seen.path.startsWith(path),
      `path ${reply.status}`,
      `the message of a reply ${reply.status} names ${shownText(path ?? '')}, and the path is ${shownText(seen.path)}`,
    ),
    ...faultIf(
      seconds !== undefined && retryAfter !== undefined && seconds !== retryAfter,
      `seconds ${reply.status}`,
      `the message of a reply ${reply.status} says to wait ${seconds} seconds, its Retry-After ${retryAfter}`,
    ),
  ]
}
