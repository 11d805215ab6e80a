import type { RailOrder } from '../actions/ports/rail.ts'
import { plainText } from './setting-faults.ts'

// Customers recognise the payee by the shop's name and number; they cancel a prompt with neither.

const PLACES = /\{(merchant|reference)\}/g

/**
 * What a setting for such a text may contain: plain characters, and placeholders for the merchant's name and
 * reference.
 */
export const plainPattern =
  (max: number) =>
  (value: string): string | undefined =>
    plainText(max)(value.replaceAll(PLACES, 'x'))

/** Operators refuse some characters and do not list them: only letters, digits and spaces of a name are kept. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()

/**
 * Returns the text that a customer or recipient sees beside the amount. The name is shortened before the rest. Where
 * nothing readable is left, or the merchant is unknown, the fallback text is used.
 * @param max how many characters the operator takes
 */
export function customerText(
  pattern: string,
  { shown }: Pick<RailOrder, 'shown'>,
  { max, lastResort }: { readonly max: number; readonly lastResort: string },
): string {
  const filledWith = (merchant: string): string =>
    plain(
      pattern.replaceAll(PLACES, (_place, name) => (name === 'merchant' ? merchant : plain(shown?.reference ?? ''))),
    )
  const merchant = plain(shown?.merchant ?? '')
  const tooMany = Math.max(filledWith(merchant).length - max, 0)
  const text = filledWith(merchant.slice(0, Math.max(merchant.length - tooMany, 0)))
  return text.slice(0, max).trim() || lastResort
}
