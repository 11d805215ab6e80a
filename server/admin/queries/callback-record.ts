import { maskUrl } from '../../domain/mask-url.ts'
import { MASK } from '../../domain/masking/named-values.ts'
import { maskAccount } from '../../domain/phone.ts'
import type { AttemptView, CallbackView } from './callbacks.ts'

/** Never sent because the merchant has no URL, or no longer has one. */
export const waitsForUrl = ({ status, attempts, url }: CallbackView): boolean =>
  status === 'STOPPED' && (attempts === 0 || url === '')

/** @param attempts of this and other callbacks; undefined leaves them out of the record */
export const toRecord = (callback: CallbackView, attempts: readonly AttemptView[] | undefined) => ({
  ...callback,
  url: maskUrl(callback.url),
  waits_for_url: waitsForUrl(callback),
  ...(attempts && {
    attempts_made: attempts
      .filter(({ callback_id }) => callback_id === callback.id)
      .map(({ callback_id: _callback, ...attempt }) => attempt),
  }),
})

/** The body of a callback with the number and the name of the customer masked, for people. */
export function maskedBody(body: string): string {
  const masked = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    if (name === 'transaction_account') return maskAccount(value)
    return name === 'customer_name' ? MASK : value
  }
  try {
    return JSON.stringify(JSON.parse(body, masked), undefined, 2)
  } catch {
    return ''
  }
}
