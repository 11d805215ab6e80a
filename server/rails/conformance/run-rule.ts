import type { RailKind } from '../rail-kind.ts'
import { skipped, type Rule } from './rule.ts'
import type { Counterpart } from './counterpart.ts'
import type { GatewayStage } from './gateway-stage.ts'
import type { Closable, RailStage } from './rail-stage.ts'
import { openWireStage, type WireStage } from './wire-stage.ts'

/** A rail to check against the rules. */
export interface Subject {
  readonly name: string
  readonly lacks: Counterpart['lacks']
  /** Absent where there is no wire: rules of other levels are skipped then. */
  readonly wire?: { readonly counterpart: Counterpart; readonly kind: RailKind }
  openRail(): Promise<Closable<RailStage>>
  openGateway?(): Promise<Closable<GatewayStage>>
}

/** A rail with a wire: the kind of its counterpart, or a faulty one in its place. */
export const wireSubject = (
  counterpart: Counterpart,
  openGateway?: Subject['openGateway'],
  kind: RailKind = counterpart.kind,
): Subject => ({
  name: counterpart.name,
  lacks: counterpart.lacks,
  wire: { counterpart, kind },
  openRail: () => openWireStage(counterpart, kind),
  ...(openGateway && { openGateway }),
})

export type RuleResult =
  | { readonly result: 'kept' }
  | { readonly result: 'left_out'; readonly reason: string }
  | { readonly result: 'broken'; readonly error: unknown }

export async function runRule(rule: Rule, subject: Subject): Promise<RuleResult> {
  const reason = skipped(rule, subject)
  if (reason !== undefined) return { result: 'left_out', reason }
  try {
    await check(rule, subject)
    return { result: 'kept' }
  } catch (error) {
    return { result: 'broken', error }
  }
}

async function check(rule: Rule, { wire, openRail, openGateway }: Subject): Promise<void> {
  switch (rule.level) {
    case 'rail':
      return closing(await openRail(), (stage) => rule.check(stage))
    case 'gateway':
      if (!openGateway) throw new Error('the subject has no gateway')
      return closing(await openGateway(), (stage) => rule.check(stage))
    case 'wire': {
      if (!wire) throw new Error('the subject has no wire')
      const opened: Closable<WireStage>[] = []
      try {
        return await rule.check(async (options) => {
          const stage = await openWireStage(wire.counterpart, wire.kind, options)
          opened.push(stage)
          return stage
        })
      } finally {
        await Promise.all(opened.map((stage) => stage.close()))
      }
    }
  }
}

async function closing<Stage>(stage: Closable<Stage>, run: (stage: Stage) => Promise<void>): Promise<void> {
  try {
    await run(stage)
  } finally {
    await stage.close()
  }
}
