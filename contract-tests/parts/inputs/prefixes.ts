import { mobileMoney, numberOf, type Option } from '../limits/options.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { holdBody } from './asked.ts'
import { inTurns } from './texts.ts'

const SOURCE = 'option_prefixes of the provider'

/** Each prefix that is listed, with a plus sign and without; and one of another provider of the country. */
export async function prefixes(scene: LimitsFixture): Promise<void> {
  const listed = await mobileMoney(scene.target)
  if (listed.length === 0) return scene.leave('prefixes: no provider of the sandbox is listed')
  const each = listed.flatMap((provider) => provider.prefixes.map((prefix, index) => ({ provider, prefix, index })))
  await inTurns(each, ({ provider, prefix, index }) => taken(scene, provider, prefix, index % 2 === 0 ? '' : '+'))
  await inTurns(listed, (provider) => foreign(scene, provider, listed))
}

const bodyOf = ({ code, currency, min, type }: Option, number: string) => ({
  provider_code: code,
  currency,
  amount: min,
  ...(type === 'COLLECTION' ? { msisdn: number } : { account_number: number }),
})

async function taken(scene: LimitsFixture, provider: Option, prefix: string, plus: string): Promise<void> {
  const number = numberOf(scene.act(''), provider.currency, prefix)
  const kind = provider.type === 'COLLECTION' ? 'a collection' : 'a payout'
  let reference: unknown
  const rule = `${provider.code}: a listed prefix is refused`
  const change = (body: Readonly<Record<string, unknown>>) => {
    reference = body.merchant_reference
    return { ...body, ...bodyOf(provider, plus + number) }
  }
  const { act, isRight } = await holdBody(scene, kind, change, rule, { source: `${SOURCE}: ${prefix}` })
  if (!isRight || plus === '') return
  const { transaction_account: account } = await act.verify(reference)
  const what = `the account of ${plus}${number} is told as ${String(account)}: a leading + is dropped`
  act.hold('verifyTransaction', account === number, 'phone number: told otherwise than it was sent', what)
}

/** A number of the same country, of somebody else. */
async function foreign(scene: LimitsFixture, provider: Option, listed: readonly Option[]): Promise<void> {
  const other = listed
    .filter(({ currency, code }) => currency === provider.currency && code !== provider.code)
    .flatMap((each) => each.prefixes)
    .find((prefix) => !provider.prefixes.some((own) => prefix.startsWith(own)))
  if (other === undefined) return
  const number = numberOf(scene.act(''), provider.currency, other)
  const kind = provider.type === 'COLLECTION' ? 'a collection' : 'a payout'
  const message = `${number} is not a valid ${provider.name} (${provider.code}) phone number`
  const expected = { status: 400, message }
  await holdBody(scene, kind, bodyOf(provider, number), `${provider.code}: a number of another is taken`, {
    expected,
    source: SOURCE,
  })
}
