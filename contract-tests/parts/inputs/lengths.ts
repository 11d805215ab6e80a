import type { LimitsFixture } from '../limits/fixture.ts'
import { holdBody, KIND_NAMES, type Kind } from './input-requests.ts'
import { inTurns } from './texts.ts'

const SOURCE = 'minLength and maxLength count code points (JSON Schema)'
const ACCENT = 'e\u0301'

interface BoundedField {
  readonly field: string
  readonly kinds: readonly Kind[]
  readonly min: number
  readonly max: number
  /** A value with this number of code points. */
  readonly makes: Readonly<Record<string, (length: number) => string>>
  readonly refused: string
}

const OF_LETTERS = {
  'ASCII letters': (length: number) => 'a'.repeat(length),
  'Chinese letters': (length: number) => '中'.repeat(length),
  'letters of two UTF-16 units': (length: number) => '😀'.repeat(length),
  'combining marks': (length: number) => ACCENT.repeat(length / 2 + 1).slice(0, length),
}

/** An email address with this number of characters: no part of it exceeds a mail server's limit. */
function addressOf(length: number): string {
  const name = 'a'.repeat(Math.min(64, Math.max(1, length - 5)))
  const host = 'b'.repeat(Math.max(1, length - name.length - 4)).replaceAll(/b{50}(?=b)/g, `${'b'.repeat(49)}.`)
  return `${name}@${host}.cc`
}

const FIELDS: readonly BoundedField[] = [
  {
    field: 'description',
    kinds: KIND_NAMES,
    min: 10,
    max: 30,
    makes: OF_LETTERS,
    refused: 'description must have 10 to 30 characters',
  },
  {
    field: 'customer_name',
    kinds: KIND_NAMES,
    min: 1,
    max: 100,
    makes: OF_LETTERS,
    refused: 'customer_name must have 1 to 100 characters',
  },
  {
    field: 'account_number',
    kinds: ['a bank payout'],
    min: 6,
    max: 20,
    makes: { digits: (length) => '8'.repeat(length) },
    refused: 'account_number must have 6 to 20 ',
  },
  {
    field: 'card_cipher',
    kinds: ['a collection', 'a bank collection'],
    min: 1,
    max: 4096,
    makes: { letters: (length) => 'c'.repeat(length) },
    refused: 'card_cipher must have 1 to 4096 ',
  },
  {
    field: 'customer_email',
    kinds: ['a collection', 'a bank collection'],
    min: 6,
    max: 254,
    makes: { letters: addressOf },
    refused: 'customer_email must ',
  },
  {
    field: 'redirect_url',
    kinds: ['a collection', 'a bank collection'],
    min: 9,
    max: 2048,
    makes: {
      letters: (length) =>
        length < 10 ? `https://${'a'.repeat(length - 8)}` : `https://a.b/${'x'.repeat(length - 12)}`,
    },
    refused: 'redirect_url must ',
  },
]

/** Texts of exactly the maximum and minimum length, and of one character more or less. */
export async function lengths(fixture: LimitsFixture): Promise<void> {
  const all = FIELDS.flatMap(({ kinds, makes, ...bounded }) =>
    Object.entries(makes).flatMap(([what, make], index) => {
      // One kind of request per script is enough; kinds and scripts rotate.
      const kind = kinds[index % kinds.length] ?? 'a collection'
      return [{ ...bounded, kind, what, make }]
    }),
  )
  await inTurns(all, async ({ field, kind, what, make, min, max, refused }) => {
    for (const length of [min, max]) {
      const rule = `${field}: a text of the ${length === min ? 'least' : 'largest'} length is refused`
      await holdBody(fixture, kind, { [field]: make(length) }, rule, { source: `${SOURCE}: ${length} ${what}` })
    }
    for (const length of min > 9 || field === 'account_number' ? [min - 1, max + 1] : [max + 1]) {
      const rule = `${field}: a text that is too ${length > max ? 'long' : 'short'} is not refused`
      const expected = { status: 400, message: new RegExp(`^${refused}`) }
      await holdBody(fixture, kind, { [field]: make(length) }, rule, {
        expected,
        source: `${SOURCE}: ${length} ${what}`,
      })
    }
  })
}
