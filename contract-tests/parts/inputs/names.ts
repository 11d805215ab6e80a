import type { LimitsFixture } from '../limits/scene.ts'
import { holdBody, type Kind } from './asked.ts'
import { inTurns, PRINTABLE, SCRIPTS } from './texts.ts'

const SOURCE = 'the contract: a name may have every character but control characters'
const PAID: readonly Kind[] = ['a collection', 'a payout', 'a bank collection', 'a bank payout']

/** JSON as a library writes it that keeps to ASCII. */
const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Names of every script are taken, and told again byte for byte. */
export async function names(scene: LimitsFixture): Promise<void> {
  const scripts = Object.entries({ ...SCRIPTS, 'every printable character': PRINTABLE.trim(), 'one letter': '李' })
  await inTurns(
    scripts.map(([script, name], index) => [script, name, PAID[index % PAID.length] ?? 'a payout'] as const),
    async ([script, name, kind]) => {
      await echoed(scene, kind, script, name, (body) => ({ ...body, customer_name: name }))
      await echoed(scene, kind, script, name, (body) => escaped(JSON.stringify({ ...body, customer_name: name })))
      if (script in SCRIPTS) await described(scene, kind, script, name)
    },
  )
}

async function echoed(
  scene: LimitsFixture,
  kind: Kind,
  script: string,
  name: string,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): Promise<void> {
  const rule = 'customer_name: a script is refused'
  let reference: unknown
  const { act, isRight } = await holdBody(
    scene,
    kind,
    (body) => {
      reference = body.merchant_reference
      return change(body)
    },
    rule,
    { source: `${SOURCE}; ${script}` },
  )
  if (!isRight) return
  const { customer_name: reported } = await act.verify(reference)
  act.hold(
    'verifyTransaction',
    reported === name,
    'customer_name: told otherwise than it was sent',
    `a name (${script}) was sent as ${JSON.stringify(name)}, verify tells ${JSON.stringify(reported)}: it must be the same byte for byte`,
  )
}

async function described(scene: LimitsFixture, kind: Kind, script: string, description: string): Promise<void> {
  const rule = 'description: a script is refused'
  await holdBody(scene, kind, { description }, rule, { source: `${SOURCE}; ${script}` })
}
