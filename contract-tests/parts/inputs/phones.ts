import { operationOf, holdBody, KINDS, REFUSED, ACCEPTED, type Kind } from './input-requests.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { mobileMoney, numberOf, type Option } from '../../driver/provider-options.ts'

const SOURCE =
  'the contract: a leading +, blanks and hyphens are dropped, a national number is completed, and nothing else'
/** Valid numbers of MTN Uganda. */
const NUMBER = '256772048123'
const FIELDS = [
  ['a collection', 'msisdn'],
  ['a payout', 'account_number'],
] as const satisfies readonly (readonly [Kind, string])[]

/** Ways to write a number of Uganda. */
const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => `+${number}`,
  (number) => number.replace(/^256(...)(...)/, '+256 $1 $2 '),
  (number) => number.replace(/^256(...)(...)/, '256-$1-$2-'),
  (number) => ` ${number} `,
  (number) => number.replace(/^256/, '0'),
  (number) => number.replace(/^256(...)(...)/, '0$1 $2-'),
]

/** Texts that only resemble a number: another beginning, signs, too many or too few digits. */
const OTHER_TEXTS: readonly string[] = [
  ...['', '+0', '00', '2560', '+2560', '+256 (0) '].map((begin) => NUMBER.replace(/^256/, begin)),
  ...['00', '011', '++', '0', 'tel:+'].map((begin) => begin + NUMBER),
  ...[';ext=1', '+', '0', '00', '.0'].map((end) => NUMBER + end),
  ...[-1, -2].map((end) => NUMBER.slice(0, end)),
  NUMBER.replace(/^256/, '0').slice(0, -1),
  '256.772.048.123',
  '(256)772048123',
  '256/772048123',
  '256+772048123',
  NUMBER.replace('0', 'O'),
  NUMBER.replace('2048', '2x48'),
  '2.56772048123e11',
  `0x${BigInt(NUMBER).toString(16)}`,
  ' ',
  '-',
]

/** A number is accepted in each declared spelling, is one account in all of them, and is refused in any other. */
export async function phones(fixture: DriverFixture): Promise<void> {
  const spelled = FIELDS.flatMap(([kind, field]) => SPELLINGS.map((spell) => [kind, field, spell] as const))
  await forEachOf(spelled, ([kind, field, spell]) => taken(fixture, kind, field, spell))
  const rows = FIELDS.flatMap(([kind, field]) => OTHER_TEXTS.map((text) => [kind, field, text] as const))
  await forEachOf(rows, ([kind, field, text]: readonly [Kind, string, string]) =>
    holdBody(fixture, kind, { [field]: text }, 'phone number: another spelling is accepted', {
      expected: REFUSED,
      source: `${SOURCE}; ${text}`,
    }),
  )
  await prefixes(fixture)
}

async function taken(
  fixture: DriverFixture,
  kind: Kind,
  field: string,
  spell: (number: string) => string,
): Promise<void> {
  const driver: PaymentDriver = fixture.driver(`${kind}: a phone number in another spelling`)
  const operation = operationOf(kind)
  const number = driver.phone()
  const body = { ...KINDS[kind](driver), [field]: spell(number) }
  const key = { 'idempotency-key': driver.reference() }
  const source = `${SOURCE}; ${spell(NUMBER)}`
  const reply = await driver.post(operation, body, key)
  if (!driver.expect(operation, reply, ACCEPTED, 'phone number: a spelling is refused', source)) return
  const found = await driver.find(String(body.merchant_reference))
  if (!driver.expect('verifyTransaction', found, 200, `${kind} is not found`, 'it was accepted')) return
  const { transaction_account: account } = found.data
  const rule = 'phone number: returned in another form than its stored one'
  const what = `the account of ${spell(number)} is returned as ${String(account)}, and ${number} was expected (${source})`
  driver.hold('verifyTransaction', account === number, rule, what)
  const again = await driver.post(operation, { ...body, [field]: number }, key)
  const replayed = again.status === 202 && again.header('idempotency-replayed') === 'true'
  const twins = 'phone number: two spellings are two requests'
  const other = `${twins}: ${spell(number)} and ${number} under one key: ${again.status} came`
  driver.hold(operation, replayed, twins, other)
}

/** Each listed prefix, and a number of another provider in the same country, as people write it. */
async function prefixes(fixture: DriverFixture): Promise<void> {
  const listed = await mobileMoney(fixture.driver('the providers'))
  if (listed.length === 0) return fixture.skip('prefixes: no provider of the sandbox is listed')
  const pays = (option: Option, number: string, rule: string, expected = ACCEPTED) => {
    const { code, currency, min, type } = option
    const [kind, field] = type === 'COLLECTION' ? FIELDS[0] : FIELDS[1]
    const change = { provider_code: code, currency, amount: min, [field]: number }
    return holdBody(fixture, kind, change, rule, { expected, source: `option_prefixes of ${code}; ${number}` })
  }
  const own = listed.flatMap((option) => option.prefixes.map((prefix) => [option, prefix] as const))
  await forEachOf(own, ([option, prefix]) =>
    pays(option, numberOf(fixture.driver(''), option.currency, prefix), `${option.code}: a listed prefix is refused`),
  )
  await forEachOf(listed, async (option) => {
    for (const other of othersThan(option, listed)) {
      const number = numberOf(fixture.driver(''), option.currency, other)
      const written = `+${number.slice(0, 6)} ${number.slice(6)}`
      await pays(option, written, 'a number of another provider is accepted', REFUSED)
    }
  })
}

/** Prefixes that are not this option's: those of others in its country, and near its own the one that nobody has. */
function othersThan({ code, type, currency, prefixes }: Option, listed: readonly Option[]): readonly string[] {
  const others = listed.filter((each) => each.currency === currency && each.code !== code)
  // Both directions read them in one way.
  const near =
    type === 'PAYOUT' ? [] : prefixes.map((prefix) => prefix.slice(0, -1) + ((Number(prefix.at(-1)) + 1) % 10))
  return [...new Set([...others.flatMap((each) => each.prefixes), ...near])].filter(
    (prefix) => !prefixes.some((own) => prefix.startsWith(own) || own.startsWith(prefix)),
  )
}
