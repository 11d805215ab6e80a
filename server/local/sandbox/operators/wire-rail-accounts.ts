import type { OperatorOptions } from '../../../../openapi/operators/simulator/index.ts'
import type { SandboxRailAccount } from '../../../rails/rail-kind.ts'
import { RAIL_KINDS } from '../../../rails/registry.ts'

/** A sandbox provider that a real adapter serves over HTTP, with its own rail account. */
export interface WireRailAccount extends SandboxRailAccount {
  /** The kind. */
  readonly rail: string
}

export const WIRE_RAIL_ACCOUNTS: readonly WireRailAccount[] = RAIL_KINDS.flatMap(({ name: rail, sandbox = [] }) =>
  sandbox.map((account) => ({ ...account, rail })),
)

/** Common settings: an operator on the same machine can take more load than a real one. */
export const WIRE_SETTINGS: Readonly<Record<string, string>> = {
  requests_per_second: '1000',
  queries_per_second: '1000',
  concurrency: '64',
  failures_until_open: '1000',
  retry_after_ms: '1000',
}

/** Start options of the simulators, by rail. An operator of several countries serves all at one address. */
export const WIRE_OPERATORS: Readonly<Record<string, OperatorOptions>> = Object.fromEntries(
  RAIL_KINDS.map(({ name, sandbox = [] }) => {
    const countries = sandbox.flatMap(({ settings, currency }): [string, string][] => {
      const country = settings['target_environment'] ?? settings['country']
      return country === undefined ? [] : [[country, currency]]
    })
    return [
      name,
      { openingBalance: '1000000000', ...(countries.length > 0 && { countries: Object.fromEntries(countries) }) },
    ]
  }),
)
