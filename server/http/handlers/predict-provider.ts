import { predictProvider } from '../../actions/predict-provider.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const predictProviderHandler =
  (deps: HandlerDeps): Handler<'predictProvider'> =>
  async ({ merchant, query, withSecretKey }) => {
    const { account, country, option, source } = await predictProvider(deps, merchant, {
      written: query.msisdn,
      country: query.country,
      mayAskOperator: withSecretKey,
    })
    return success('Provider predicted successfully', {
      msisdn: account,
      ...(country !== undefined && { country }),
      ...(option && { provider_code: option.providerCode, provider_name: option.providerName }),
      source,
    })
  }
