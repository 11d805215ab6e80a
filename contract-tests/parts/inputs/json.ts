import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { holdBody, KIND_NAMES, REFUSED } from './input-requests.ts'

type Body = Readonly<Record<string, unknown>>
type Writers = Readonly<Record<string, (body: Body) => string>>

/** The same body in other forms that JSON allows. */
const SAME: Writers = {
  'blanks between all tokens': (body) => JSON.stringify(body, null, '\r\n\t '),
  'blanks around it': (body) => ` \n\r\t${JSON.stringify(body)}\t\r\n `,
  'fields in another order': (body) => JSON.stringify(Object.fromEntries(Object.entries(body).toReversed())),
  'escaped names': (body) => JSON.stringify(body).replace('"amount"', '"\\u0061mount"'),
  'escaped letters': (body) =>
    JSON.stringify(body).replace(/(?<="currency":")[A-Z]/, ([letter = '']) => escaped(letter)),
  'an escaped slash': (body) => JSON.stringify({ ...body, description: 'Half/half and more' }).replaceAll('/', '\\/'),
}
const escaped = (letter: string): string => `\\u00${letter.charCodeAt(0).toString(16)}`

const ending = (body: Body, end: string): string => JSON.stringify(body).replace(/\}$/, end)

/** Bodies that a lenient program might repair; wire sends more of them. */
const BROKEN: Writers = {
  'amount twice, once escaped': (body) => ending(body, ',"\\u0061mount":1000}'),
  'a name in extra_params twice, alike': (body) =>
    ending(body, ',"extra_params":{"bank_code":"any","bank_code":"any"}}'),
  'an unknown name in extra_params': (body) => ending(body, ',"extra_params":{"colour":"red"}}'),
  'names without quotes': (body) => JSON.stringify(body).replace(/"(\w+)":/g, '$1:'),
}

export async function json(fixture: DriverFixture): Promise<void> {
  await forEachOf(
    Object.entries(SAME).flatMap(([what, write]) => KIND_NAMES.map((kind) => [what, write, kind] as const)),
    ([what, write, kind]) =>
      holdBody(fixture, kind, write, `JSON: ${what}: is refused`, { source: 'RFC 8259: the same JSON' }),
  )
  await forEachOf(Object.entries(BROKEN), ([what, write]) =>
    holdBody(fixture, 'a payout', write, `JSON: ${what}: is accepted`, {
      expected: REFUSED,
      source: 'docs, page "Errors"',
    }),
  )
}
