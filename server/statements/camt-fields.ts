import type { Currency } from '../domain/money.ts'
import { readDecimal } from './amount.ts'
import { excerpt } from './reading.ts'
import { all, textIn, type Element } from './xml-element.ts'

// Element names follow ISO 20022, BankToCustomerStatement. Versions differ in the place of a code; the readers check
// both places.

/** Why an entry cannot be read; the message follows "the entry ". */
export class EntryDoubt extends Error {
  override readonly name = 'EntryDoubt'
  readonly isMisfit: boolean

  constructor(why: string, isMisfit = false) {
    super(why)
    this.isMisfit = isMisfit
  }
}

/** In minor units of our currency, or as text in another currency. */
type CamtAmount = { readonly minor: bigint } | { readonly foreign: string }

/**
 * @returns undefined where there is none
 * @throws EntryDoubt for an invalid or negative amount
 */
export function amountIn(element: Element, name: string, currency: Currency): CamtAmount | undefined {
  const [found] = all(element, name)
  if (!found) return undefined
  const named = (found.attributes['Ccy'] ?? '').trim().toUpperCase()
  if (named !== currency) return { foreign: `${excerpt(found.text)} ${excerpt(named)}`.trim() }
  try {
    const { isNegative, amount } = readDecimal(found.text, currency)
    if (!isNegative) return { minor: amount.amountMinor }
  } catch (error) {
    throw new EntryDoubt(`has an ${name} that ${(error as Error).message}`)
  }
  throw new EntryDoubt(`has no ${name} of zero or more`)
}

/** @throws EntryDoubt for any other code */
export function directionOf(element: Element): 'in' | 'out' {
  const code = textIn(element, 'CdtDbtInd')?.toUpperCase()
  if (code === 'CRDT') return 'in'
  if (code === 'DBIT') return 'out'
  throw new EntryDoubt('has no CdtDbtInd of CRDT or DBIT')
}

export const signed = (direction: 'in' | 'out', minor: bigint): bigint => (direction === 'in' ? minor : -minor)

/** `<Sts>BOOK</Sts>`, and since version 8 `<Sts><Cd>BOOK</Cd></Sts>`. */
export function statusOf(entry: Element): string {
  const [found] = all(entry, 'Sts')
  return (found && (textIn(found, 'Cd') ?? textIn(found, 'Prtry') ?? found.text.trim())) ?? ''
}

/** Placeholders that banks write for a missing reference. */
const NONE = /^(?:not ?provided|non ?ref|none|null|n\/?a|-*)$/i

/** The first reference in one of these elements, in the order of the names. */
export function firstName(holders: readonly Element[], names: readonly string[]): string | undefined {
  for (const name of names)
    for (const holder of holders) {
      const text = textIn(holder, name)
      if (text !== undefined && !NONE.test(text)) return text
    }
  return undefined
}
