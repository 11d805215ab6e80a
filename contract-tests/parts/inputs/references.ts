import { getRequest } from '../limits/requests.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { holdBody, type Kind } from './asked.ts'
import { DIGITS, inTurns, LETTERS, pieces } from './texts.ts'

const SOURCE = 'the contract: 8 to 36 characters, letters, digits and . _ ~ -, used once'
const SPECIAL = ['.', '_', '~', '-']

/** References are texts: every allowed one is taken, told and found as it is. */
export async function references(scene: LimitsFixture): Promise<void> {
  const own = scene.act('').reference().slice(-8)
  const unique = (text: string, index: number): string =>
    `${text.slice(0, 28)}${own.slice(-6)}${index % 10}x`.slice(0, 36)
  const mixed = pieces(`${LETTERS}${DIGITS}`, 28).map(unique)
  const special = SPECIAL.flatMap((sign) => [`${sign}${own}`, `${own}${sign}`, `${own.slice(0, 6)}${sign.repeat(20)}`])
  // No two of them differ in case alone: asked side by side, a server that mixes these up would tell now this, now that.
  const odd = [
    `auto${own}`,
    `AUTO${own.slice(1)}z`,
    `..${own}..`,
    `${own}.json`,
    own.padEnd(36, '0'),
    own,
    ...numerals(own),
  ]
  const all = [...mixed, ...special, ...odd]
  await inTurns(
    all.map((reference, index) => [reference, index % 2 === 0 ? 'a collection' : 'a payout'] as const),
    ([reference, kind]) => taken(scene, kind, reference),
  )
  await cases(scene)
  for (const [kind, text] of [
    ['a collection', 'AUTO'],
    ['a collection', 'Auto'],
    ['a payout', 'auto'],
  ] as const)
    await holdBody(scene, kind, { merchant_reference: text }, `merchant_reference: ${text} is taken`, {
      expected: { status: 400, message: /^merchant_reference must / },
      source: 'only the literal auto, and for collections only',
    })
}

/** Digits alone: who reads a number loses zeros, or digits that doubles do not hold. */
function numerals(own: string): readonly string[] {
  const digits = [...own].map((sign) => String(sign.charCodeAt(0) % 10)).join('')
  return [digits, `0${digits}`, digits.padEnd(36, '7'), `00${digits}.00`, `${digits.slice(0, 6)}e10`]
}

async function taken(scene: LimitsFixture, kind: Kind, reference: string): Promise<void> {
  const rule = 'merchant_reference: an allowed one is refused'
  const made = await holdBody(scene, kind, { merchant_reference: reference }, rule, {
    source: `${SOURCE}; ${reference}`,
  })
  if (!made.isRight) return
  const { act, reply } = made
  const reported = reply.data.merchant_reference
  const same = 'merchant_reference: told otherwise than it was sent'
  const what = `the reference ${reference} was told as ${String(reported)}`
  act.hold('initializeCollection', reported === reference, same, what)
  const encoded = [...reference].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')
  for (const path of [reference, encoded]) {
    const found = await act.send(getRequest(scene.target, `/data/transaction/verify/${path}`))
    const source = `RFC 3986, section 2.3: ${path}`
    act.expect('verifyTransaction', found, { status: 200 }, 'merchant_reference: not found as it is', source)
    const { merchant_reference: recorded = reference } = found.data
    act.hold('verifyTransaction', recorded === reference, same, `verify of ${reference} tells ${String(recorded)}`)
  }
}

/** A and a are two payments. */
async function cases(scene: LimitsFixture): Promise<void> {
  for (const kind of ['a collection', 'a payout'] as const) {
    const name = scene.act('').reference()
    const [upper, lower] = [`${name}-CASE`.toUpperCase(), `${name}-case`.toLowerCase()]
    const source = 'references are texts: another case is another reference'
    const first = await holdBody(scene, kind, { merchant_reference: upper }, 'merchant_reference: capitals', { source })
    const unknown = await first.act.send(getRequest(scene.target, `/data/transaction/verify/${lower}`))
    const missing = { status: 404, message: `Transaction (${lower}) was not found` }
    const rule = 'merchant_reference: found in another case'
    first.act.expect('verifyTransaction', unknown, missing, rule, source)
    const twins = 'merchant_reference: another case counts as the same'
    const second = await holdBody(scene, kind, { merchant_reference: lower, amount: 2000 }, twins, { source })
    const { merchant_reference, request_amount } = await second.act.verify(upper)
    const what = `verify of ${upper} tells ${String(merchant_reference)} of ${String(request_amount)}`
    second.act.hold('verifyTransaction', merchant_reference === upper && request_amount !== 2000, twins, what)
  }
}
