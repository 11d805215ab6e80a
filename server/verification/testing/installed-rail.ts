import { withoutAudit } from '../../storage/audited-pool.ts'
import { randomBytes } from 'node:crypto'
import type { Simulator } from '../../../openapi/operators/simulator/index.ts'
import { divided } from '../../rails/settings.ts'
import { ACCOUNT_ADDRESS, newTokenKey, orderToken } from '../../domain/callback-tokens.ts'
import { operatorCallbackPath } from '../../http/operator-callbacks.ts'
import { present } from '../../domain/present.ts'
import type { Gateway } from '../../main.ts'
import { railKind } from '../../rails/registry.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { addRailAccount } from '../../admin/queries/rail-accounts.ts'
import { leadProvider } from '../../admin/queries/providers.ts'
import { MASTER_KEY } from './gateway.ts'

interface InstalledRailOptions {
  readonly name: string
  /** Providers that use it from now on. */
  readonly providers: readonly string[]
  /** Added to the simulator's settings and the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** The rail account as stored in the gateway's database. */
  readonly environment?: 'trial' | 'production'
}

/**
 * Connects a gateway to a simulator of an operator, as `malipo rail add` and `malipo provider set --rail` do.
 * @returns an address of the rail account itself
 */
export async function installRail(
  { pool, refresh, url: gatewayUrl = '' }: Pick<Gateway, 'pool' | 'refresh'> & { readonly url?: string },
  { operator, open, url }: Simulator,
  { name, providers, settings = {}, environment = 'trial' }: InstalledRailOptions,
): Promise<(tail: string, now: Date) => string> {
  const kind = present(railKind(operator.name), `the rail of ${operator.name}`)
  const random = { bytes: (size: number) => randomBytes(size) }
  const callbackKey = newTokenKey(random)
  await addRailAccount(
    withoutAudit(pool),
    createSecretBox(MASTER_KEY, random),
    {
      name,
      rail: operator.name,
      environment,
      currency: operator.currency,
      baseUrl: url,
      callbackKey,
      ...divided(kind, { ...open.railSettings, ...settings }),
    },
    new Date(),
  )
  for (const provider of providers) await leadProvider(withoutAudit(pool), provider, name)
  await refresh()
  return (tail, now) => {
    const token = orderToken({ keys: [callbackKey] }, { railAccount: name, orderId: ACCOUNT_ADDRESS }, now)
    return `${gatewayUrl}${operatorCallbackPath(name, token ?? '', ACCOUNT_ADDRESS, tail)}`
  }
}
