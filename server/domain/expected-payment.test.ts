import { expect, test } from 'vitest'
import { newTypedReference, typedReference } from './expected-payment.ts'

test('reads what people type without case, blanks and hyphens', () => {
  expect(['inv-2026 1', ' INV20261', 'I-N-V-2-0-2-6-1'].map(typedReference)).toEqual(Array(3).fill('INV20261'))
  expect(['', 'AB', 'INV/1', 'ÏNV1', 'A'.repeat(21)].map(typedReference)).toEqual(Array(5).fill(undefined))
})

test('draws references of which no single typo, and no swap of neighbours, is another', () => {
  let last = 0
  const random = { bytes: (size: number) => Uint8Array.from({ length: size }, () => (last = (last * 5 + 77) % 256)) }
  const symbols = '23456789CFGHJMPQRVWX'
  const drawn = Array.from({ length: 3 }, () => newTypedReference(random))
  expect(new Set(drawn).size).toBe(3)
  for (const reference of drawn) {
    expect(reference).toMatch(/^[2-9CFGHJMPQRVWX]{8}$/)
    for (let place = 0; place < 8; place += 1) {
      const typos = [...symbols].map((one) => reference.slice(0, place) + one + reference.slice(place + 1))
      expect(typos.filter(isDrawn)).toEqual([reference])
      const [one = '', two = ''] = reference.slice(place, place + 2)
      const swapped = reference.slice(0, place) + two + one + reference.slice(place + 2)
      if (two !== '' && swapped !== reference && one + two !== '2X' && one + two !== 'X2')
        expect(isDrawn(swapped)).toBe(false)
    }
  }
})

/** Whether its last symbol is the check of the others: that of the reference that would be drawn from them. */
function isDrawn(reference: string): boolean {
  const bytes = Uint8Array.from({ length: 7 }, (_, place) => '23456789CFGHJMPQRVWX'.indexOf(reference[place] ?? ''))
  return newTypedReference({ bytes: () => bytes }) === reference
}
