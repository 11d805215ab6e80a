import type { ExpectedReply } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { holdBody, KIND_NAMES, IS_ACCEPTED } from './input-requests.ts'
import { inTurns } from './texts.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const SOURCE = 'RFC 8259: the same JSON'
const TWICE: ExpectedReply = { status: 400, message: 'amount must be given once' }

type Body = Readonly<Record<string, unknown>>

/** The same body in other forms that JSON allows. */
const SAME: Readonly<Record<string, (body: Body) => string>> = {
  'blanks between all tokens': (body) => JSON.stringify(body, null, '\r\n\t '),
  'blanks around it': (body) => ` \n\r\t${JSON.stringify(body)}\t\r\n `,
  'fields in another order': (body) => JSON.stringify(Object.fromEntries(Object.entries(body).toReversed())),
  'escaped names': (body) => JSON.stringify(body).replace('"amount"', '"\\u0061mount"'),
  'escaped letters': (body) =>
    JSON.stringify(body)
      .replace('"currency":"U', '"currency":"\\u0055')
      .replace('"currency":"N', '"currency":"\\u004E'),
  'an escaped slash': (body) => JSON.stringify({ ...body, description: 'Half/half and more' }).replaceAll('/', '\\/'),
}

/** Bodies that a lenient program might repair. */
const BROKEN: Readonly<Record<string, readonly [(body: Body) => string, ExpectedReply]>> = {
  'amount twice, once escaped': [(body) => JSON.stringify(body).replace(/\}$/, ',"\\u0061mount":1000}'), TWICE],
  'a name in extra_params twice, alike': [
    (body) => JSON.stringify(body).replace(/\}$/, ',"extra_params":{"bank_code":"any","bank_code":"any"}}'),
    { status: 400, message: 'extra_params.bank_code must be given once' },
  ],
  'a comma too many': [(body) => JSON.stringify(body).replace(/\}$/, ',}'), notJson()],
  'single quotes': [(body) => JSON.stringify(body).replaceAll('"', "'"), notJson()],
  'a comment': [(body) => `/* pay */${JSON.stringify(body)}`, notJson()],
  'two bodies': [(body) => JSON.stringify(body).repeat(2), notJson()],
  'names without quotes': [(body) => JSON.stringify(body).replace(/"(\w+)":/g, '$1:'), notJson()],
  'a control character': [
    (body) => JSON.stringify({ ...body, description: 'Two coffees' }).replace('coffees', 'cof\tfees'),
    notJson(),
  ],
}
function notJson(): ExpectedReply {
  return { status: 400, message: refusal('json_malformed') }
}

export async function json(fixture: DriverFixture): Promise<void> {
  await inTurns(
    Object.entries(SAME).flatMap(([what, write]) => KIND_NAMES.map((kind) => [what, write, kind] as const)),
    ([what, write, kind]) =>
      holdBody(fixture, kind, write, `JSON: ${what}: is refused`, { expected: IS_ACCEPTED, source: SOURCE }),
  )
  await inTurns(Object.entries(BROKEN), ([what, [write, expected]]) =>
    holdBody(fixture, 'a payout', write, `JSON: ${what}: is accepted`, { expected, source: 'docs, page "Errors"' }),
  )
}
