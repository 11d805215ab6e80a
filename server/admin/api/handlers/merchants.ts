import { success } from '../../../http/envelope.ts'
import { brandMerchant } from '../../operations/brand-merchant.ts'
import { changeMerchant, createMerchantWithKeys } from '../../operations/change-merchant.ts'
import { merchantNamed } from '../../operations/merchant-named.ts'
import { removeCharges, removeLimits, setCharges, setLimits } from '../../operations/merchant-terms.ts'
import { resumeMerchant, suspendMerchant } from '../../operations/suspend-merchant.ts'
import { failingCallbackUrls } from '../../queries/callback-health.ts'
import { merchantRecord } from '../../queries/merchant-record.ts'
import { termsOf } from '../../queries/merchant-terms.ts'
import { findMerchants } from '../../queries/merchants.ts'
import { changed, inputOf, type AdminHandlers } from '../handler.ts'
import { idOfCursor, pageOf, wire } from '../wire.ts'

export const MERCHANTS = {
  async listMerchants({ context: { pool, mode }, query: { q, after, limit = 50 } }) {
    const wanted = { text: q, after: idOfCursor(after), sandbox: mode !== 'live', limit: limit + 1 }
    const { items, ...next } = pageOf(await findMerchants(pool, wanted), limit, ({ id }) => String(id))
    const rows = items.map(
      ({ id, name, public_key, collection_callback_url, sandbox_only, created_at, suspended_at }) => ({
        id,
        name,
        public_key,
        collection_callback_url,
        sandbox_only,
        created_at,
        suspended_at,
      }),
    )
    return success('Merchants', wire({ items: rows, ...next }))
  },
  createMerchant: (call) => changed(call, createMerchantWithKeys, call.body),
  async showMerchant({ context, params }) {
    const merchant = await merchantNamed(context, params.merchant)
    const failing = await failingCallbackUrls(context.pool, merchant, context.clock.now())
    return success(merchant.name, wire({ ...merchantRecord(merchant), callbacks_failing: failing }))
  },
  changeMerchant: (call) => changed(call, changeMerchant, inputOf(call)),
  brandMerchant: (call) => changed(call, brandMerchant, inputOf(call)),
  suspendMerchant: (call) => changed(call, suspendMerchant, inputOf(call)),
  resumeMerchant: (call) => changed(call, resumeMerchant, inputOf(call)),
  async listTerms({ context, params }) {
    const { id } = await merchantNamed(context, params.merchant)
    return success('Own limits and charges', { items: wire(await termsOf(context.pool, id)) })
  },
  setLimits: (call) => changed(call, setLimits, inputOf(call)),
  removeLimits: (call) => changed(call, removeLimits, inputOf(call)),
  setCharges: (call) => changed(call, setCharges, inputOf(call)),
  removeCharges: (call) => changed(call, removeCharges, inputOf(call)),
} satisfies Partial<AdminHandlers>
