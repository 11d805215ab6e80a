import type { Rail } from '../../../actions/ports/rail.ts'
import type { Clock } from '../../../actions/ports/clock.ts'
import type { CallbackKeys } from '../../../domain/callback-tokens.ts'
import { LIVE_POLICY } from '../../../outbound/outbound-guard.ts'
import { confirmPayment } from '../../../rails/confirm-payment.ts'
import type { CallDispatcher } from '../../../rails/exchange/one-call.ts'
import type { RailKind, SettingValues } from '../../../rails/rail-kind.ts'
import { connectRailAccount } from '../../../start/connect-rail-account.ts'
import { railByProvider, withoutRail } from '../../../start/rails-by-provider.ts'
import type { ConnectingProcess } from '../operator-side.ts'
import { GATEWAY_HOST } from './gateway-host.ts'

export const CALLBACK_KEYS: CallbackKeys = { keys: [{ id: '0000f00d', secret: 'f00d' }] }
export const RAIL_ACCOUNT = 'wire'

interface InstalledOptions {
  readonly kind: RailKind
  readonly currency: string
  readonly settings: SettingValues
  readonly clock: Clock
  readonly dispatcher: CallDispatcher
  /** Called with every error that an adapter must not throw. */
  readonly onFault: (error: unknown) => void
}

/**
 * A rail account as one process connects it: adapter, exchange, tokens, circuit breaker and bounds are those of
 * production.
 */
export function installedRail(
  { random, timers }: ConnectingProcess,
  { kind, currency, settings, clock, dispatcher, onFault }: InstalledOptions,
): Rail {
  const { rail, adapter } = connectRailAccount(
    kind,
    {
      name: RAIL_ACCOUNT,
      rail: kind.name,
      environment: 'trial',
      currency,
      baseUrl: 'https://operator.example',
      callbackKeys: CALLBACK_KEYS,
      settings,
      updatedAt: clock.now(),
    },
    {
      clock,
      random,
      timers,
      policy: LIVE_POLICY,
      dispatcher,
      publicUrl: () => `https://${GATEWAY_HOST}`,
      record: { add: () => undefined },
      watch: () => ({ exchanged: () => undefined, drifted: () => undefined, end: () => undefined }),
      onFault,
    },
  )
  return railByProvider(
    {
      rails: {},
      others: withoutRail('every provider has a rail account'),
      railAccounts: {
        railAccountOf: () => RAIL_ACCOUNT,
        rail: (name) => (name === RAIL_ACCOUNT ? rail : undefined),
        readCallback: (_name, callback) => adapter.readCallback(callback),
        readMessage: (_name, message) => adapter.readMessage?.(message),
        confirmPayment: (_name, claim) => confirmPayment(adapter, claim, clock.now()),
      },
    },
    timers,
  )
}
