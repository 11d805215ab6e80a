import type { LimitsFixture } from '../limits/fixture.ts'
import { holdBody, type Kind } from './input-requests.ts'
import { inTurns, PRINTABLE, SCRIPTS } from './texts.ts'

const SOURCE = 'the contract: a name may have every character but control characters'
const PAID: readonly Kind[] = ['a collection', 'a payout', 'a bank collection', 'a bank payout']

/** JSON of a library that escapes everything but ASCII. */
const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Names in every script are accepted, and returned byte for byte. */
export async function names(fixture: LimitsFixture): Promise<void> {
  const scripts = Object.entries({ ...SCRIPTS, 'every printable character': PRINTABLE.trim(), 'one letter': '李' })
  await inTurns(
    scripts.map(([script, name], index) => [script, name, PAID[index % PAID.length] ?? 'a payout'] as const),
    async ([script, name, kind]) => {
      await echoed(fixture, kind, script, name, (body) => ({ ...body, customer_name: name }))
      await echoed(fixture, kind, script, name, (body) => escaped(JSON.stringify({ ...body, customer_name: name })))
      if (script in SCRIPTS) await described(fixture, kind, script, name)
    },
  )
}

async function echoed(
  fixture: LimitsFixture,
  kind: Kind,
  script: string,
  name: string,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): Promise<void> {
  const rule = 'customer_name: a script is refused'
  let reference: unknown
  const { driver, isRight } = await holdBody(
    fixture,
    kind,
    (body) => {
      reference = body.merchant_reference
      return change(body)
    },
    rule,
    { source: `${SOURCE}; ${script}` },
  )
  if (!isRight) return
  const { customer_name: reported } = await driver.verify(reference)
  driver.hold(
    'verifyTransaction',
    reported === name,
    'customer_name: returned in another form than it was sent',
    `a name (${script}) was sent as ${JSON.stringify(name)}, verify returned ${JSON.stringify(reported)}: it must be the same byte for byte`,
  )
}

async function described(fixture: LimitsFixture, kind: Kind, script: string, description: string): Promise<void> {
  const rule = 'description: a script is refused'
  await holdBody(fixture, kind, { description }, rule, { source: `${SOURCE}; ${script}` })
}
