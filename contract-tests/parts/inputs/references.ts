import { getRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { holdBody, REFUSED, type Kind } from './input-requests.ts'
import { DIGITS, LETTERS, pieces } from './texts.ts'

const SOURCE = 'the contract: 8 to 36 characters, letters, digits and . _ ~ -, used once'
const SPECIAL = ['.', '_', '~', '-']
const VERIFY = '/data/transaction/verify'

/** References are texts: every valid one is accepted and found; the rule "constant fields" sees that it is unchanged. */
export async function references(fixture: DriverFixture): Promise<void> {
  const own = shortened(fixture.driver('').reference())
  const unique = (text: string, index: number): string =>
    `${text.slice(0, 28)}${own.slice(-6)}${index % 10}x`.slice(0, 36)
  const mixed = pieces(`${LETTERS}${DIGITS}`, 28).map(unique)
  const special = SPECIAL.flatMap((sign) => [`${sign}${own}`, `${own}${sign}`, `${own.slice(0, 6)}${sign.repeat(20)}`])
  // No two of them differ in case alone: a server that ignores case would return now one, now the other, when both are
  // sent at once.
  const odd = [`auto${own}`, `AUTO${own.slice(1)}z`, `..${own}..`, `${own}.json`, own.padEnd(36, '0'), own]
  await forEachOf([...[...mixed, ...special, ...odd, ...numerals(own)].entries()], ([index, reference]) =>
    taken(fixture, index % 2 === 0 ? 'a collection' : 'a payout', reference),
  )
  for (const kind of ['a collection', 'a payout'] as const) await cases(fixture, kind)
  for (const [kind, text] of [
    ['a collection', 'AUTO'],
    ['a collection', 'Auto'],
    ['a payout', 'auto'],
  ] as const)
    await holdBody(fixture, kind, { merchant_reference: text }, `merchant_reference: ${text} is accepted`, {
      expected: REFUSED,
      source: 'only the literal auto, and for collections only',
    })
}

/** The numbers of a reference, of this run and in it, in eight signs: the last ones alone come again in another run. */
const shortened = (reference: string): string =>
  BigInt(reference.replaceAll(/\D/g, '')).toString(36).padStart(8, '0').slice(-8)

/** Digits only: a program that reads a number loses leading zeros, or digits beyond a double's precision. */
function numerals(own: string): readonly string[] {
  const digits = [...own].map((sign) => String(sign.charCodeAt(0) % 10)).join('')
  return [digits, `0${digits}`, digits.padEnd(36, '7'), `00${digits}.00`, `${digits.slice(0, 6)}e10`]
}

async function taken(fixture: DriverFixture, kind: Kind, reference: string): Promise<void> {
  const rule = 'merchant_reference: an allowed one is refused'
  const source = `${SOURCE}; ${reference}`
  const { driver, isRight } = await holdBody(fixture, kind, { merchant_reference: reference }, rule, { source })
  if (!isRight) return
  const encoded = [...reference].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')
  for (const path of [reference, encoded]) {
    const found = await driver.send(getRequest(fixture.target, `${VERIFY}/${path}`))
    const unchanged = `RFC 3986, section 2.3: ${path}`
    driver.expect('verifyTransaction', found, 200, 'merchant_reference: not found unchanged', unchanged)
  }
}

/** References are case-sensitive: each is found with its own record. */
async function cases(fixture: DriverFixture, kind: Kind): Promise<void> {
  const name = fixture.driver('').reference()
  const [upper, lower] = [`${name}-CASE`.toUpperCase(), `${name}-case`.toLowerCase()]
  const source = 'references are texts: another case is another reference'
  const { driver } = await holdBody(fixture, kind, { merchant_reference: upper }, 'merchant_reference: capitals', {
    source,
  })
  const unknown = await driver.send(getRequest(fixture.target, `${VERIFY}/${lower}`))
  driver.expect('verifyTransaction', unknown, 404, 'merchant_reference: found in another case', source)
  const twins = 'merchant_reference: another case counts as the same'
  const second = await holdBody(fixture, kind, { merchant_reference: lower, amount: 2000 }, twins, { source })
  await second.driver.verify(upper)
}
