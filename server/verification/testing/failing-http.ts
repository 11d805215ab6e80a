import { createHash, randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import type { Merchants } from '../../actions/ports/reference-data.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { OverloadControl } from '../../http/admission.ts'
import { createApi, type ApiOptions } from '../../http/api.ts'
import { createApp } from '../../http/app.ts'
import type { OperationHandlers } from '../../http/handlers/handler.ts'
import { createRateLimits } from '../../http/rate-limit.ts'
import { DEMO_KEYS } from './gateway.ts'

/**
 * `storage`: the database is away. `fault`: a bug of ours. `limit`: nothing fails, but one request per second exhausts the
 * rate limit. `overload`: no payment can be accepted.
 */
export type InjectedFailure = 'storage' | 'fault' | 'limit' | 'overload'

interface FailingHttp {
  readonly url: string
  /** The merchant whose keys are known. */
  readonly merchant: Merchant
  stop(): Promise<void>
}

const MERCHANT: Merchant = {
  id: 1n,
  name: 'Demo',
  publicKey: DEMO_KEYS['public-key'],
  enabledOptions: new Set<string>(),
  secretKeyDigests: [createHash('sha256').update(DEMO_KEYS['secret-key']).digest()],
}

/**
 * The gateway's real HTTP layer in front of actions that all fail in one way: how every operation reports it, including
 * those that do not query the database.
 * @param given replaces the one merchant whose keys are known
 */
export async function startFailingHttp(trouble: InjectedFailure, given: Partial<Merchants> = {}): Promise<FailingHttp> {
  const fail = (): never => {
    throw trouble === 'storage'
      ? new StorageUnavailable(new Error('connect ECONNREFUSED'))
      : new Error('a secret detail of the inside')
  }
  const requested = readContract(bundleUrl).operations.filter(({ kind }) => kind === 'operation')
  const handlers = Object.fromEntries(requested.map(({ id }) => [id, fail])) as unknown as OperationHandlers
  const reference: ApiOptions['reference'] = {
    merchantByPublicKey: async (publicKey) => (publicKey === MERCHANT.publicKey ? MERCHANT : undefined),
    isKnownKey: (publicKey) => publicKey === MERCHANT.publicKey,
    merchantById: async () => MERCHANT,
    callbackSecrets: fail,
    option: () => undefined,
    ...given,
  }
  const perSecond = trouble === 'limit' ? 1 : 1_000_000
  const rateLimits = createRateLimits({ perMerchant: perSecond, perAddress: perSecond })
  const api = await createApi({
    reference,
    handlers,
    rateLimits,
    admission: admissionIn(trouble),
    digest: (text) => createHash('sha256').update(text).digest(),
    checkReplies: false,
  })
  const app = createApp({
    api,
    random: { bytes: (size) => randomBytes(size) },
    logger: pino({ level: 'silent' }),
    routes: () => undefined,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, merchant: MERCHANT, stop: () => app.close() }
}

/** In an overload: one that accepts nothing at this moment. */
function admissionIn(trouble: InjectedFailure): OverloadControl {
  let elapsedMs = 0
  const admission = new OverloadControl({ elapsedMs: () => elapsedMs }, 1_000)
  elapsedMs = 1_000
  if (trouble !== 'overload') return admission
  admission.observe(60_000)
  admission.admit()
  return admission
}
