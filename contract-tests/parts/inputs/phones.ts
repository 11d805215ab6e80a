import { holdBody, type Kind } from './asked.ts'
import type { Scene } from '../limits/scene.ts'
import { inTurns } from './texts.ts'

const SOURCE = 'the contract: country code first, digits only; a leading + is dropped, and nothing else'
/** Of MTN Uganda, and possible as it stands. */
const NUMBER = '256772048123'

/** The same number as people write it, and numbers that only look like one. */
const WRITTEN: readonly string[] = [
  NUMBER.replace(/^256/, '0'),
  NUMBER.replace(/^256/, ''),
  NUMBER.replace(/^256/, '2560'),
  NUMBER.replace(/^256/, '+2560'),
  `00${NUMBER}`,
  `011${NUMBER}`,
  `++${NUMBER}`,
  `0${NUMBER}`,
  `tel:+${NUMBER}`,
  `${NUMBER};ext=1`,
  '+256 772 048 123',
  '256-772-048-123',
  '256.772.048.123',
  '(256)772048123',
  '256/772048123',
  ` ${NUMBER}`,
  `${NUMBER} `,
  `${NUMBER}+`,
  `${NUMBER}0`,
  `${NUMBER}00`,
  NUMBER.slice(0, -1),
  NUMBER.slice(0, -2),
  NUMBER.replace('0', 'O'),
  NUMBER.replace('2048', '2x48'),
  `${NUMBER}.0`,
  '2.56772048123e11',
  `0x${BigInt(NUMBER).toString(16)}`,
]

/** A number is taken as it is declared, and in no other writing. */
export async function phones(scene: Scene): Promise<void> {
  const rows = WRITTEN.flatMap((text) => [
    ['a collection', 'msisdn', text] as const,
    ['a payout', 'account_number', text] as const,
  ])
  await inTurns(rows, async ([kind, field, text]: readonly [Kind, string, string]) => {
    const rule = 'phone number: another writing is taken'
    const message = `${text} is not a valid MTN Uganda (mtn_ug) phone number`
    // What a field may not have at all is told otherwise.
    const expected = { status: 400, message: new RegExp(`^${escaped(message)}$|^${field} must `) }
    await holdBody(scene, kind, { [field]: text }, rule, { expected, source: `${SOURCE}; ${text}` })
  })
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
