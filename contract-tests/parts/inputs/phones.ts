import { operationOf, holdBody, KINDS, type Kind } from './asked.ts'
import type { LimitsDriver } from '../limits/act.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { inTurns } from './texts.ts'

const SOURCE =
  'the contract: a leading +, blanks and hyphens are dropped, a national number is completed, and nothing else'
/** Of MTN Uganda, and possible as it stands. */
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

/** What only looks like a number. */
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

/** A number is taken in each spelling that is declared, is one account in all of them, and is taken in no other. */
export async function phones(scene: LimitsFixture): Promise<void> {
  const spelled = FIELDS.flatMap(([kind, field]) => SPELLINGS.map((spell) => [kind, field, spell] as const))
  await inTurns(spelled, ([kind, field, spell]) => taken(scene, kind, field, spell))
  const rows = FIELDS.flatMap(([kind, field]) => REFUSED.map((text) => [kind, field, text] as const))
  await inTurns(rows, async ([kind, field, text]: readonly [Kind, string, string]) => {
    const rule = 'phone number: another writing is taken'
    const message = `${text} is not a valid MTN Uganda (mtn_ug) phone number: send 256 and the whole national number, digits only`
    // What a field may not have at all is told otherwise.
    const expected = { status: 400, message: new RegExp(`^${escaped(message)}$|^${field} must `) }
    await holdBody(scene, kind, { [field]: text }, rule, { expected, source: `${SOURCE}; ${text}` })
  })
}

async function taken(
  scene: LimitsFixture,
  kind: Kind,
  field: string,
  spell: (number: string) => string,
): Promise<void> {
  const act: LimitsDriver = scene.act(`${kind}: a phone number in another spelling`)
  const operation = operationOf(kind)
  const number = act.phone()
  const body = { ...KINDS[kind](act), [field]: spell(number) }
  const key = { 'idempotency-key': act.reference() }
  const source = `${SOURCE}; ${spell(NUMBER)}`
  const reply = await act.post(operation, body, key)
  if (!act.expect(operation, reply, { status: 202 }, 'phone number: a spelling is refused', source)) return
  const { transaction_account: account } = await act.verify(body.merchant_reference)
  const what = `the account of ${spell(number)} is told as ${String(account)}, and ${number} was expected (${source})`
  act.hold('verifyTransaction', account === number, 'phone number: told otherwise than in its stored form', what)
  const again = await act.post(operation, { ...body, [field]: number }, key)
  const replayed = again.status === 202 && again.header('idempotency-replayed') === 'true'
  const rule = 'phone number: two spellings are two requests'
  act.hold(operation, replayed, rule, `${rule}: ${spell(number)} and ${number} under one key: ${again.status} came`)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
