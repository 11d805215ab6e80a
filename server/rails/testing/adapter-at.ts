import { onTestFinished } from 'vitest'
import { SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { systemTimers } from '../../jobs/timers.ts'
import { createCircuit } from '../circuit.ts'
import { createExchange } from '../exchange/exchange.ts'
import { operatorContract } from '../operator-contract.ts'
import type { Adapter, RailKind, SettingValues } from '../rail-kind.ts'

export interface AdapterAtOptions {
  readonly url: string
  readonly settings: SettingValues
  readonly currency: string
  readonly now: Date
  callbackUrl(orderId: string, tail?: string): string
  /** Sent with every call except the token request. */
  readonly headers?: () => Readonly<Record<string, string>>
}

/** A rail that calls a server's address through the gateway's own exchange, until the test ends. */
export function adapterAt(kind: RailKind, { url, settings, now, headers, ...world }: AdapterAtOptions): Adapter {
  const clock = { now: () => now }
  const secrets = Object.entries(kind.settings).flatMap(([name, { secret }]) =>
    secret && settings[name] !== undefined ? [settings[name]] : [],
  )
  const exchange = createExchange({
    railAccount: { name: 'strange', baseUrl: url, secrets },
    contract: operatorContract(kind.name),
    policy: SANDBOX_POLICY,
    circuit: createCircuit(clock, { failuresInARow: Infinity, callsMin: Infinity }),
    record: { add: () => undefined },
    onExchange: () => undefined,
    clock,
    timers: systemTimers,
  })
  onTestFinished(() => exchange.close())
  return kind.connect(
    { ...settings, base_url: url },
    {
      ...world,
      clock,
      random: { bytes: (size) => new Uint8Array(size) },
      fetchFor: (about) => (request) => {
        if (about.purpose !== 'token')
          for (const [name, value] of Object.entries(headers?.() ?? {})) request.headers.set(name, value)
        return exchange.fetchFor(about)(request)
      },
    },
  )
}
