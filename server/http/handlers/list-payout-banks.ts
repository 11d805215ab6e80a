import type { components } from '../../../generated/schema.d.ts'
import { listPayoutBanks } from '../../actions/list-payout-banks.ts'
import type { Bank } from '../../domain/provider.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const listPayoutBanksHandler =
  (deps: HandlerDeps): Handler<'listPayoutBanks'> =>
  ({ query: { provider_code } }) =>
    success('Payout banks retrieved successfully', {
      payout_banks: listPayoutBanks(deps, provider_code).map(toPayoutBank),
    })

const toPayoutBank = ({ bankName, bankCode, isActive }: Bank): components['schemas']['PayoutBank'] => ({
  bank_name: bankName,
  bank_code: bankCode,
  is_active: isActive,
})
