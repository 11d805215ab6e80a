import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../../openapi/reading/json.ts'
import { textOf } from '../foreign-fields.ts'
import type { CallbackReading, RailWorld, ReceivedCallback } from '../rail-kind.ts'
import { outcomeIn, transactionIn } from './results.ts'
import type { AirtelSettings } from './settings.ts'

/** The one address of the application. */
export const ACCOUNT_TAIL = 'callback'

const NAME = 'transactionCallback'

/**
 * Reads a callback's claims: a hint to ask now, whoever sent it. A hash that does not fit is counted, because over which
 * bytes it goes is not said.
 * @returns undefined for what names no order of ours
 */
export function readCallback(
  { callbackKey, country }: Pick<AirtelSettings, 'callbackKey' | 'country'>,
  { contract, onDrift, failureCodes }: Pick<RailWorld, 'contract' | 'onDrift' | 'failureCodes'>,
  { method, tail, body }: ReceivedCallback,
): CallbackReading | undefined {
  if (tail !== ACCOUNT_TAIL) return undefined
  const read = contract.readCallback(NAME, { method, body })
  if ('fault' in read || !isObject(read.value)) return undefined
  const fits = callbackKey === undefined || hashFits(callbackKey, body, read.value)
  onDrift?.(NAME, fits ? read.drift : [...read.drift, { field: 'hash', shape: 'does not fit the callback key' }])
  const said = transactionIn(read.value, ['transaction'])
  if (said?.id === undefined) return undefined
  const known = outcomeIn(said, { country, failureCodes, receipt: 'airtel_money_id' })
  return { ...known, mayQuery: true, orderId: said.id, externalIds: {} }
}

/** Of the `transaction` member as it came, as we would write it, or of the body without `hash`. */
function hashFits(key: string, body: string, { hash, ...rest }: Readonly<Record<string, unknown>>): boolean {
  const claimed = textOf(hash)
  if (claimed === undefined) return false
  const asItCame = /"transaction"\s*:\s*(\{[^{}]*\})/.exec(body)?.[1]
  const given = Buffer.from(claimed, 'base64')
  return [asItCame, JSON.stringify(rest['transaction']), JSON.stringify(rest)].some((text) => {
    const own = text === undefined ? undefined : createHmac('sha256', key).update(text).digest()
    return own !== undefined && own.length === given.length && timingSafeEqual(own, given)
  })
}
