import { isBusinessRefusal } from '../../harness/business-refusals.ts'
import { fieldsOf } from '../../harness/json.ts'

// Traffic between merchants, customers and the real gateway: recorded at run time, checked against contracts.

/** One exchange. Its operation and sender are known from the scenario. */
export interface RecordedExchange {
  /** The operation or message by the scenario; absent for one that does not exist. */
  readonly operationId?: string
  readonly answeredBy: 'gateway' | 'merchant'
  /** Upper case. */
  readonly method: string
  /** Without the query string, as it was sent. */
  readonly path: string
  /** Every value of a parameter, decoded. */
  readonly query: ReadonlyMap<string, readonly string[]>
  readonly requestHeaders: ReadonlyMap<string, string>
  readonly requestBody: Body
  readonly status: number
  readonly replyHeaders: ReadonlyMap<string, string>
  readonly replyBody: Body
  /** For people: a line that repeats the request. */
  readonly curl: string
}

/** A parsed body; equal texts share one `value`, so that it is judged once. */
export interface Body {
  readonly mediaType: string | undefined
  readonly isEmpty: boolean
  /** Undefined when it is not JSON. */
  readonly value: unknown
}

export interface Corpus {
  readonly exchanges: readonly RecordedExchange[]
  /** The right keys by the name of their security scheme. */
  readonly keys: Readonly<Record<string, string>>
}

export function messageIn(body: unknown): string {
  const { message = '' } = fieldsOf(body)
  return typeof message === 'string' ? message : JSON.stringify(message)
}
export const messageOf = ({ replyBody: { value } }: RecordedExchange): string => messageIn(value)

/** The reply's verdict on the request: valid, invalid, wrong keys, or none. */
export type Verdict = 'fits' | 'breaks' | 'keys refused' | 'wrong media type' | 'nothing there' | 'nothing said'

export function verdictOf(exchange: RecordedExchange): Verdict {
  const { status } = exchange
  const message = messageOf(exchange)
  if (status === 401) return 'keys refused'
  if (status === 415) return 'wrong media type'
  if (status === 405 || (status === 404 && message.startsWith('There is nothing at '))) return 'nothing there'
  if (status === 413 || status === 429 || status >= 500) return 'nothing said'
  // A repeated name is lost when the body is parsed: no schema can detect it.
  if (status === 400 && message.endsWith(' must be given once') && !exchange.requestBody.isEmpty) return 'nothing said'
  if (status === 400 && isRefusedByContract(exchange, message)) return 'breaks'
  return 'fits'
}

/** The contract's own bounds of an amount: beyond them the message names the provider's, which are narrower. */
function isBeyondEveryLimit(value: unknown): boolean {
  const { amount } = fieldsOf(value)
  return amount !== undefined && (Number(amount) <= 0 || Number(amount) > 1e12)
}

/** Valid by the schema, and refused by a rule. */
const PLAIN_HTTP = /^http:\/\/[\w.-]+(?::\d*)?(?:\/[\w./-]*)?$/i

/** A host and a port of the right form; a rule refuses those that do not exist. */
const WELL_FORMED = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]{2,45}\])(?::\d*)?(?:\/[\w./-]*)?$/i

function isRefusedByContract({ requestBody: { value } }: RecordedExchange, message: string): boolean {
  if (message.startsWith('amount must be between ') && isBeyondEveryLimit(value)) return true
  // Required by the schema for banks; for the hosted page of mobile money it is a business rule.
  if (message === 'redirect_url is required') return fieldsOf(value).mobile_money_hpp !== true
  // The message of the schema; the rule has the same one for a local URL only, which the schema allows.
  if (message === 'redirect_url must be an https URL') return !PLAIN_HTTP.test(String(fieldsOf(value).redirect_url))
  if (message === 'redirect_url has a host or a port that is not valid')
    return !WELL_FORMED.test(String(fieldsOf(value).redirect_url))
  return !isBusinessRefusal(message)
}
