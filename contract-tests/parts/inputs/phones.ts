import { operationOf, holdBody, KINDS, type Kind } from './input-requests.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { inTurns } from './texts.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

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

/** Texts that only resemble a number. */
const REFUSED: readonly string[] = [
  NUMBER.replace(/^256/, ''),
  NUMBER.replace(/^256/, '+0'),
  NUMBER.replace(/^256/, '00'),
  NUMBER.replace(/^256/, '2560'),
  NUMBER.replace(/^256/, '+2560'),
  NUMBER.replace(/^256/, '+256 (0) '),
  `00${NUMBER}`,
  `011${NUMBER}`,
  `++${NUMBER}`,
  `0${NUMBER}`,
  `tel:+${NUMBER}`,
  `${NUMBER};ext=1`,
  '256.772.048.123',
  '(256)772048123',
  '256/772048123',
  '256+772048123',
  `${NUMBER}+`,
  `${NUMBER}0`,
  `${NUMBER}00`,
  NUMBER.slice(0, -1),
  NUMBER.slice(0, -2),
  NUMBER.replace(/^256/, '0').slice(0, -1),
  NUMBER.replace('0', 'O'),
  NUMBER.replace('2048', '2x48'),
  `${NUMBER}.0`,
  '2.56772048123e11',
  `0x${BigInt(NUMBER).toString(16)}`,
  ' ',
  '-',
]

/** A number is accepted in each declared spelling, is one account in all of them, and is refused in any other. */
export async function phones(fixture: DriverFixture): Promise<void> {
  const spelled = FIELDS.flatMap(([kind, field]) => SPELLINGS.map((spell) => [kind, field, spell] as const))
  await inTurns(spelled, ([kind, field, spell]) => taken(fixture, kind, field, spell))
  const rows = FIELDS.flatMap(([kind, field]) => REFUSED.map((text) => [kind, field, text] as const))
  await inTurns(rows, async ([kind, field, text]: readonly [Kind, string, string]) => {
    const rule = 'phone number: another spelling is accepted'
    const message = refusal('phone_incomplete', { '772000123': text })
    // A character that the field does not allow has another message.
    const expected = { status: 400, message: new RegExp(`^${escaped(message)}$|^${field} must `) }
    await holdBody(fixture, kind, { [field]: text }, rule, { expected, source: `${SOURCE}; ${text}` })
  })
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
  if (!driver.expect(operation, reply, { status: 202 }, 'phone number: a spelling is refused', source)) return
  const { transaction_account: account } = await driver.verify(body.merchant_reference)
  const what = `the account of ${spell(number)} is returned as ${String(account)}, and ${number} was expected (${source})`
  driver.hold(
    'verifyTransaction',
    account === number,
    'phone number: returned in another form than its stored one',
    what,
  )
  const again = await driver.post(operation, { ...body, [field]: number }, key)
  const replayed = again.status === 202 && again.header('idempotency-replayed') === 'true'
  const rule = 'phone number: two spellings are two requests'
  driver.hold(operation, replayed, rule, `${rule}: ${spell(number)} and ${number} under one key: ${again.status} came`)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
