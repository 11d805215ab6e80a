import { mobileMoney, numberOf, type Option } from '../../driver/provider-options.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { holdBody } from './input-requests.ts'
import { inTurns } from './texts.ts'

const SOURCE = 'option_prefixes of the provider'

/** Each listed prefix, with a plus sign and without; and a prefix of another provider of the country. */
export async function prefixes(fixture: DriverFixture): Promise<void> {
  const listed = await mobileMoney(fixture.target)
  if (listed.length === 0) return fixture.skip('prefixes: no provider of the sandbox is listed')
  const each = listed.flatMap((provider) => provider.prefixes.map((prefix, index) => ({ provider, prefix, index })))
  await inTurns(each, ({ provider, prefix, index }) => taken(fixture, provider, prefix, index % 2 === 0 ? '' : '+'))
  await inTurns(listed, (provider) => foreign(fixture, provider, listed))
}

const bodyOf = ({ code, currency, min, type }: Option, number: string) => ({
  provider_code: code,
  currency,
  amount: min,
  ...(type === 'COLLECTION' ? { msisdn: number } : { account_number: number }),
})

async function taken(fixture: DriverFixture, provider: Option, prefix: string, plus: string): Promise<void> {
  const number = numberOf(fixture.driver(''), provider.currency, prefix)
  const kind = provider.type === 'COLLECTION' ? 'a collection' : 'a payout'
  let reference: unknown
  const rule = `${provider.code}: a listed prefix is refused`
  const change = (body: Readonly<Record<string, unknown>>) => {
    reference = body.merchant_reference
    return { ...body, ...bodyOf(provider, plus + number) }
  }
  const { driver, isRight } = await holdBody(fixture, kind, change, rule, { source: `${SOURCE}: ${prefix}` })
  if (!isRight || plus === '') return
  const { transaction_account: account } = await driver.verify(reference)
  const what = `the account of ${plus}${number} is returned as ${String(account)}: a leading + is dropped`
  driver.hold('verifyTransaction', account === number, 'phone number: returned in another form than it was sent', what)
}

/** A number of another provider in the same country, as people write it: the message names it so. */
async function foreign(fixture: DriverFixture, provider: Option, listed: readonly Option[]): Promise<void> {
  const other = listed
    .filter(({ currency, code }) => currency === provider.currency && code !== provider.code)
    .flatMap((each) => each.prefixes)
    .find((prefix) => !provider.prefixes.some((own) => prefix.startsWith(own)))
  if (other === undefined) return
  const number = numberOf(fixture.driver(''), provider.currency, other)
  const written = `+${number.slice(0, 6)} ${number.slice(6)}`
  const kind = provider.type === 'COLLECTION' ? 'a collection' : 'a payout'
  const message = `${written} is not a valid ${provider.name} (${provider.code}) phone number`
  const expected = { status: 400, message }
  await holdBody(fixture, kind, bodyOf(provider, written), 'a number of another provider', {
    expected,
    source: SOURCE,
  })
}
