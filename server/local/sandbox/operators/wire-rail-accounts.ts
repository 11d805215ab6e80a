import type { OperatorOptions } from '../../../../openapi/operators/simulator/index.ts'

/** A sandbox provider that a real adapter serves over HTTP, with its own rail account. */
export interface WireRailAccount {
  /** Without the words that operators reject in URLs. */
  readonly name: string
  readonly rail: 'mtn-momo' | 'daraja'
  readonly provider: string
  readonly currency: string
  /** Its own settings, besides those from the simulator and the common ones. */
  readonly settings: Readonly<Record<string, string>>
}

const mtn = (country: string, provider: string, currency: string): WireRailAccount => ({
  name: `sandbox-${country}`,
  rail: 'mtn-momo',
  provider,
  currency,
  // An operator on this machine forgets nothing and is polled soon: nobody waits five minutes for a lost callback.
  settings: { target_environment: `mtn${country}`, ask_after_seconds: '10,20,30,60,300,600,1800,3600' },
})

export const WIRE_RAIL_ACCOUNTS: readonly WireRailAccount[] = [
  mtn('uganda', 'mtn_ug', 'UGX'),
  mtn('rwanda', 'mtn_rw', 'RWF'),
  mtn('ghana', 'mtn_gh', 'GHS'),
  mtn('zambia', 'mtn_zm', 'ZMW'),
  {
    name: 'sandbox-kenya',
    rail: 'daraja',
    provider: 'mpesa_ke',
    currency: 'KES',
    settings: { payout_ask_after_seconds: '30' },
  },
]

/** Common settings: an operator on the same machine can take more load than a real one. */
export const WIRE_SETTINGS: Readonly<Record<string, string>> = {
  requests_per_second: '1000',
  queries_per_second: '1000',
  concurrency: '64',
  failures_until_open: '1000',
  retry_after_ms: '1000',
}

/** Start options of the simulators, by rail. */
export const WIRE_OPERATORS: Readonly<Record<WireRailAccount['rail'], OperatorOptions>> = {
  'mtn-momo': {
    countries: Object.fromEntries(
      WIRE_RAIL_ACCOUNTS.filter(({ rail }) => rail === 'mtn-momo').map(({ settings, currency }) => [
        settings['target_environment'] ?? '',
        currency,
      ]),
    ),
    openingBalance: '1000000000',
  },
  daraja: { openingBalance: '1000000000' },
}
