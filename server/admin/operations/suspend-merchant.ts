import type { Pool } from '../../storage/pool.ts'
import { setSuspended } from '../queries/merchants.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed } from './merchant-named.ts'
import type { Operation } from './operation.ts'

const suspension = (
  isSuspended: boolean,
): Operation<{ readonly merchant: string }, { readonly merchant_id: string }> => ({
  name: isSuspended ? 'merchant suspend' : 'merchant resume',
  approval: isSuspended ? 'suspensions' : 'resumptions',
  async prepare(context, { merchant: name }) {
    const { id, public_key: subject } = await merchantNamed(context, name)
    const current = (pool: Pool) => merchantNamed({ ...context, pool }, String(id))
    return {
      subject,
      merchantId: id,
      read: async (pool) => displayValues({ 'suspended since': (await current(pool)).suspended_at?.toISOString() }),
      async apply(pool) {
        await setSuspended(pool, id, isSuspended, context.clock.now())
        return { merchant_id: String(id) }
      },
    }
  },
})

/** A merchant starts no payments; its payouts that are not sent yet wait with their money held. */
export const suspendMerchant = suspension(true)
/** Ends the suspension; payouts that waited go out. */
export const resumeMerchant = suspension(false)
