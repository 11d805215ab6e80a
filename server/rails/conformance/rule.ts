import type { Counterpart, Feature } from './counterpart.ts'
import type { GatewayStage } from './gateway-stage.ts'
import type { RailStage } from './rail-stage.ts'
import type { OpenWire } from './wire-stage.ts'

interface RuleHeader {
  /** A sentence about the rail: the row of the table. */
  readonly name: string
  /** Why breaking it loses money or trust. */
  readonly why: string
  readonly needs: readonly Feature[]
}

/** One requirement that every rail must meet. A check that fails throws. */
export type Rule =
  /** Applies to every rail, also one without a wire: checked through the port alone. */
  | (RuleHeader & { readonly level: 'rail'; check(stage: RailStage): Promise<void> })
  /** Applies to the adapter and the installed rail around it, against an operator over HTTP. */
  | (RuleHeader & { readonly level: 'wire'; check(open: OpenWire): Promise<void> })
  /** Applies to the whole gateway with the rail in it. */
  | (RuleHeader & { readonly level: 'gateway'; check(stage: GatewayStage): Promise<void> })

type Check<Level extends Rule['level']> = Extract<Rule, { level: Level }>['check']
type Row<Level extends Rule['level']> = readonly [
  name: string,
  why: string,
  needs: readonly Feature[],
  check: Check<Level>,
]

export const railRule = (...[name, why, needs, check]: Row<'rail'>): Rule => ({
  level: 'rail',
  name,
  why,
  needs,
  check,
})
export const wireRule = (...[name, why, needs, check]: Row<'wire'>): Rule => ({
  level: 'wire',
  name,
  why,
  needs: ['wire', ...needs],
  check,
})
export const gatewayRule = (...[name, why, needs, check]: Row<'gateway'>): Rule => ({
  level: 'gateway',
  name,
  why,
  needs: ['wire', 'payments', ...needs],
  check,
})

/** @returns why a rule does not apply to a rail; undefined when it applies */
export function skipped({ needs }: Pick<Rule, 'needs'>, { lacks }: Pick<Counterpart, 'lacks'>): string | undefined {
  for (const feature of needs) if (lacks[feature] !== undefined) return lacks[feature]
  return undefined
}
