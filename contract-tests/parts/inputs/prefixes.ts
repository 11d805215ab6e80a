import { fieldsOf } from '../../harness/json.ts'
import { getRequest } from '../limits/requests.ts'
import type { Scene } from '../limits/scene.ts'
import { holdBody } from './asked.ts'
import { inTurns } from './texts.ts'

/** Country codes of the sandbox's currencies: all of their numbers have nine digits after it. */
const CALLING_CODES: Readonly<Record<string, string>> = {
  UGX: '256',
  KES: '254',
  TZS: '255',
  RWF: '250',
  GHS: '233',
  ZMW: '260',
}
const DIGITS = 9
const SOURCE = 'option_prefixes of the provider'

interface Listed {
  readonly code: string
  readonly name: string
  readonly currency: string
  readonly type: string
  readonly min: number
  readonly prefixes: readonly string[]
}

/** Each prefix that is listed, with a plus sign and without; and one of another provider of the country. */
export async function prefixes(scene: Scene): Promise<void> {
  const listed: Listed[] = []
  for (const currency of Object.keys(CALLING_CODES))
    for (const type of ['COLLECTION', 'PAYOUT']) listed.push(...(await providersOf(scene, currency, type)))
  if (listed.length === 0) return scene.leave('prefixes: no provider of the sandbox is listed')
  const each = listed.flatMap((provider) => provider.prefixes.map((prefix, index) => ({ provider, prefix, index })))
  await inTurns(each, ({ provider, prefix, index }) => taken(scene, provider, prefix, index % 2 === 0 ? '' : '+'))
  await inTurns(listed, (provider) => foreign(scene, provider, listed))
}

async function providersOf(scene: Scene, currency: string, type: string): Promise<readonly Listed[]> {
  const path = `/data/payment-providers?currency=${currency}&transaction_type=${type}`
  const { data } = await scene.act('').send(getRequest(scene.target, path))
  const all = Array.isArray(data.payment_providers) ? data.payment_providers.map(fieldsOf) : []
  return all.map(({ provider_code, provider_name, option_prefixes, min_amount }) => ({
    code: String(provider_code),
    name: String(provider_name),
    currency,
    type,
    min: Number(min_amount),
    prefixes: Array.isArray(option_prefixes) ? option_prefixes.map(String) : [],
  }))
}

function numberOf(scene: Scene, currency: string, prefix: string): string {
  const unique = scene
    .act('')
    .phone('123')
    .slice(-(DIGITS - prefix.length))
  return `${CALLING_CODES[currency] ?? ''}${prefix}${unique}`
}

const bodyOf = ({ code, currency, min, type }: Listed, number: string) => ({
  provider_code: code,
  currency,
  amount: min,
  ...(type === 'COLLECTION' ? { msisdn: number } : { account_number: number }),
})

async function taken(scene: Scene, provider: Listed, prefix: string, plus: string): Promise<void> {
  const number = numberOf(scene, provider.currency, prefix)
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
async function foreign(scene: Scene, provider: Listed, listed: readonly Listed[]): Promise<void> {
  const other = listed
    .filter(({ currency, code }) => currency === provider.currency && code !== provider.code)
    .flatMap((each) => each.prefixes)
    .find((prefix) => !provider.prefixes.some((own) => prefix.startsWith(own)))
  if (other === undefined) return
  const number = numberOf(scene, provider.currency, other)
  const kind = provider.type === 'COLLECTION' ? 'a collection' : 'a payout'
  const message = `${number} is not a valid ${provider.name} (${provider.code}) phone number`
  const expected = { status: 400, message }
  await holdBody(scene, kind, bodyOf(provider, number), `${provider.code}: a number of another is taken`, {
    expected,
    source: SOURCE,
  })
}
