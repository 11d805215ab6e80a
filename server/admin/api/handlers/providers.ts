import { success } from '../../../http/envelope.ts'
import { addProviderOfPayments, setProvider } from '../../operations/change-provider.ts'
import { setExchangeRate } from '../../operations/set-rate.ts'
import { optionRecord, optionsOf } from '../../queries/option-record.ts'
import { listRates } from '../../queries/provider-settings.ts'
import { changed, type AdminHandlers } from '../handler.ts'
import { wire } from '../wire.ts'

export const PROVIDERS = {
  listProviders: async ({ context: { pool } }) =>
    success('Payment options', { items: wire((await optionsOf(pool, undefined, undefined)).map(optionRecord)) }),
  addProvider: (call) => changed(call, addProviderOfPayments, call.body),
  setProvider: (call) => changed(call, setProvider, { provider_code: call.params.provider, ...call.body }),
  listRates: async ({ context: { pool } }) =>
    success('Exchange rates', {
      items: (await listRates(pool)).map(({ from, to, rate, updatedAt }) =>
        wire({ from, to, rate, updated_at: updatedAt }),
      ),
    }),
  setRate: (call) => changed(call, setExchangeRate, call.body),
} satisfies Partial<AdminHandlers>
