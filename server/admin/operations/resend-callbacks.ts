import type { CallbackStatus } from '../../domain/deliveries.ts'
import { REFRESH_MS } from '../../storage/reference-data.ts'
import { callbacksToResend, findCallback, resendCallbacks as resend, type CallbackView } from '../queries/callbacks.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed, ownMerchant } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'
import { transactionNamed } from './transaction-named.ts'

/** Which callbacks: one, all of a transaction, or those created in a period. */
export type ResendInput =
  | { readonly callback: string }
  | { readonly transaction: string; readonly merchant?: string | undefined }
  | {
      readonly since: string
      readonly until: string
      readonly status?: CallbackStatus | undefined
      readonly merchant?: string | undefined
    }

/** One commit for more would hold the locks of deliveries for too long. */
export const RESEND_CHUNK = 500

// Every process must have read a URL that was corrected a moment ago, or this attempt goes to the old one.
const SEEN_BY_ALL_MS = 2 * REFRESH_MS

/**
 * Finds a callback by id or webhook-id; people of a merchant find those of their own.
 * @throws OperationRefusal when there is none
 */
export async function callbackNamed(
  context: Pick<OperationContext, 'actor' | 'pool'>,
  name: string,
): Promise<CallbackView> {
  const callback = await findCallback(context.pool, name)
  const own = ownMerchant(context)
  if (!callback || (own !== undefined && own !== callback.merchant_id))
    throw new OperationRefusal('not_found', `there is no callback ${name}`, 'See the latest: malipo callback list')
  return callback
}

interface Meant {
  readonly ids: readonly bigint[]
  readonly subject: string
  readonly merchantId?: bigint | undefined
}

/** The callbacks that an input means, the oldest first. @throws OperationRefusal */
export async function callbacksMeant(context: OperationContext, input: ResendInput): Promise<Meant> {
  if ('callback' in input) {
    const { id, merchant_id: merchantId } = await callbackNamed(context, input.callback)
    return { ids: [id], subject: `callback ${id}`, merchantId }
  }
  if ('transaction' in input) {
    const { id, internalReference, merchantId } = await transactionNamed(context, input.transaction, input.merchant)
    const ids = await callbacksToResend(context.pool, { transactionId: id })
    return { ids, subject: internalReference, merchantId }
  }
  const { since, until, status, merchant } = input
  const name = merchant ?? ownMerchant(context)?.toString()
  const whose = name === undefined ? undefined : await merchantNamed(context, name)
  const period = { since: new Date(since), until: new Date(until) }
  const ids = await callbacksToResend(context.pool, { ...period, status, merchantId: whose?.id })
  return { ids, subject: whose?.public_key ?? 'all merchants', merchantId: whose?.id }
}

type Resent = { readonly callbacks: number; readonly first?: string; readonly last?: string; readonly more: boolean }

/** Makes callbacks due now: those that the input means, the oldest ones first, after the one where a run before ended. */
export const resendCallbacks: Operation<{ readonly which: ResendInput; readonly after?: string | undefined }, Resent> =
  {
    name: 'callback resend',
    async prepare(context, { which, after = '0' }) {
      const { ids, subject, merchantId } = await callbacksMeant(context, which)
      const left = ids.filter((id) => id > BigInt(after))
      const part = left.slice(0, RESEND_CHUNK)
      return {
        subject,
        merchantId,
        read: async (_pool, resent) => {
          const { callbacks, first, last } = resent ?? {}
          return displayValues({ callbacks, first, last })
        },
        async apply(pool) {
          const now = context.clock.now()
          await resend(pool, part, now, new Date(now.getTime() + SEEN_BY_ALL_MS))
          const [first, last] = [part[0], part.at(-1)].map(String)
          const more = left.length > part.length
          return { callbacks: part.length, ...(part.length > 0 && { first, last }), more }
        },
      }
    },
  }
