import type { RailOrder } from '../actions/ports/rail.ts'
import { plainText } from './setting-faults.ts'

// Customers recognise whom they pay by the name and the number that the shop gave them; a prompt with neither is cancelled.

const PLACES = /\{(merchant|reference)\}/g

/** What a setting for such a text may be: plain signs, and places for the merchant's name and reference. */
export const plainPattern =
  (max: number) =>
  (value: string): string | undefined =>
    plainText(max)(value.replaceAll(PLACES, 'x'))

/** Operators refuse signs and do not list them: what is left of a name are letters, digits and spaces. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()

/**
 * What a customer or recipient may read beside the amount. A name gives way before the rest does; where nothing readable
 * is left, or nobody knows whose order it is, the last resort stands.
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
