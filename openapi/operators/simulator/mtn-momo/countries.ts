import type { Call } from '../operator.ts'
import type { Product } from './contract.ts'

/** The countries at one address, selected by `X-Target-Environment`: each has a currency and accounts. */
export type Countries = ReturnType<typeof countriesOf>

const OPENING: Readonly<Record<Product, string>> = { collection: '1000', disbursement: '1000000', remittance: '1000' }

/**
 * @param currencies by environment
 * @param openingBalance of every account; the usual ones unless given
 */
export function countriesOf(currencies: Readonly<Record<string, string>>, openingBalance?: string) {
  const known = new Map(Object.entries(currencies))
  const environments = [...known.keys()]
  // With one country an account is named after its product: people set balances by these names.
  const nameOf = (product: string, environment: string): string =>
    environments.length === 1 ? product : `${product} ${environment}`
  const environmentIn = (headers: Call['headers']): string => headers['x-target-environment'] ?? ''
  return {
    /** In their order; the first one is printed. */
    environments,
    /** @returns undefined for an environment that is not served */
    currencyOf: (headers: Call['headers']): string | undefined => known.get(environmentIn(headers)),
    accountOf: (product: Product, headers: Call['headers']): string => nameOf(product, environmentIn(headers)),
    /** The currency of an account. */
    currencyAt: (account: string): string => known.get(account.split(' ')[1] ?? environments[0] ?? '') ?? '',
    /** The opening balance of all accounts, in main units. */
    opening: Object.fromEntries(
      environments.flatMap((environment) =>
        Object.entries(OPENING).map(([product, usual]) => [nameOf(product, environment), openingBalance ?? usual]),
      ),
    ),
  }
}
