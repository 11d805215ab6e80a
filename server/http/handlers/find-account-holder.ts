import { findAccountHolder } from '../../actions/find-account-holder.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const findAccountHolderHandler =
  (deps: HandlerDeps): Handler<'findAccountHolder'> =>
  async ({ merchant, query: { provider_code: providerCode, msisdn: written } }) => {
    const { option, account, holder } = await findAccountHolder(deps, merchant, { providerCode, written })
    const { providerName } = option
    const asked = { provider_code: option.providerCode, msisdn: account }
    if (!holder)
      return success(`${providerName} (${option.providerCode}) does not tell who has an account`, {
        ...asked,
        account_status: 'NOT_SUPPORTED',
      })
    return success('Account holder retrieved successfully', {
      ...asked,
      account_status: holder.status,
      ...('maskedName' in holder && { masked_name: holder.maskedName }),
      checked_at: holder.checkedAt.toISOString(),
    })
  }
