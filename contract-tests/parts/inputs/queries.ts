import { fieldsOf, type Fields } from '../../harness/json.ts'
import type { ExpectedReply } from '../../driver/payment-driver.ts'
import { getRequest, type ApiReply } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { inTurns } from './texts.ts'

const SOURCE =
  'docs, page "What the original description leaves open": an unknown query parameter is ignored, an empty optional one too'
const PROVIDERS = '/data/payment-providers'
const WALLETS = '/data/wallet-balances'
const BANKS = '/data/payout-bank-codes'

const missing = (name: string): ExpectedReply => ({ status: 400, message: `${name} is required` })
/** Names that only resemble a parameter. */
const OTHER_NAMES = [
  'Currency',
  'CURRENCY',
  'currency[]',
  'currency%20',
  '+currency',
  'cur',
  'currencies',
  'x-currency',
]

/** Parameter names match exactly; a required parameter is present, an optional one may be empty. */
export async function queries(fixture: DriverFixture): Promise<void> {
  const rows: readonly (readonly [about: string, path: string, ExpectedReply])[] = [
    ...OTHER_NAMES.map(
      (name) =>
        ['listPaymentProviders', `${PROVIDERS}?${name}=UGX&transaction_type=PAYOUT`, missing('currency')] as const,
    ),
    ...['Transaction_type', 'transactionType', 'transaction-type', 'type'].map(
      (name) =>
        ['listPaymentProviders', `${PROVIDERS}?currency=UGX&${name}=PAYOUT`, missing('transaction_type')] as const,
    ),
    ...['', '%20', '&'].map(
      (value) =>
        [
          'listPaymentProviders',
          `${PROVIDERS}?currency=${value}&transaction_type=PAYOUT`,
          value === '%20' ? { status: 400, message: /^currency / } : missing('currency'),
        ] as const,
    ),
    ['listPayoutBanks', `${BANKS}?Provider_code=bank_ng`, missing('provider_code')],
    ['listPayoutBanks', `${BANKS}?provider=bank_ng`, missing('provider_code')],
  ]
  await inTurns(rows, async ([about, path, expected]) => {
    const driver = fixture.driver('a query')
    const reply = await driver.send(getRequest(fixture.target, path))
    driver.expect(
      about,
      reply,
      expected,
      'query: another name, or nothing, counts as a parameter',
      `${SOURCE}; ${path}`,
    )
  })
  await wallets(fixture)
  await otherCurrencies(fixture)
}

/** Without a currency all wallets are listed, with one only its own. */
async function wallets(fixture: DriverFixture): Promise<void> {
  const sendRequest = async (query: string): Promise<ApiReply> => {
    const request = getRequest(fixture.target, `${WALLETS}${query}`, { 'secret-key': fixture.target.secretKey })
    return fixture.driver('wallets').send(request)
  }
  const driver = fixture.driver('wallets')
  const all = await sendRequest('')
  for (const query of ['?currency=', ...OTHER_NAMES.map((name) => `?${name}=KES`)]) {
    const reply = await sendRequest(query)
    const rule = 'query: a parameter that is not there is read'
    driver.expect('listWalletBalances', reply, { status: 200 }, rule, `${SOURCE}; ${query}`)
    const what = `${WALLETS}${query} shows other wallets than without a query (${SOURCE})`
    driver.hold('listWalletBalances', walletsIn(all) === walletsIn(reply), rule, what)
  }
  for (const code of new Set([...listIn(all, 'merchant_wallets').map(({ currency }) => String(currency)), 'XAF'])) {
    const one = fixture.driver(`wallets of ${code}`)
    const query = `?currency=${code}`
    const reply = await one.send(
      getRequest(fixture.target, `${WALLETS}${query}`, { 'secret-key': fixture.target.secretKey }),
    )
    const wanted = listIn(all, 'merchant_wallets').filter(({ currency }) => currency === code)
    const what = `${WALLETS}${query} shows other wallets than those of ${code} without a query`
    one.hold('listWalletBalances', walletsOf(wanted) === walletsIn(reply), 'query: wallets of a currency', what)
  }
}

/** No provider is listed for a currency that is not its own. */
async function otherCurrencies(fixture: DriverFixture): Promise<void> {
  const rows = ['USD', 'EUR', 'XAF', 'KES'].flatMap((code) =>
    ['COLLECTION', 'PAYOUT'].map((type) => [code, type] as const),
  )
  await inTurns(rows, async ([code, type]) => {
    const driver = fixture.driver('providers of a currency')
    const reply = await driver.send(
      getRequest(fixture.target, `${PROVIDERS}?currency=${code}&transaction_type=${type}`),
    )
    const rule = 'query: providers of a currency'
    driver.expect('listPaymentProviders', reply, { status: 200 }, rule, SOURCE)
    const others = listIn(reply, 'payment_providers').filter((each) => each.transaction_currency !== code)
    const what = `${String(others[0]?.provider_code)} of ${String(others[0]?.transaction_currency)} is listed for ${code}`
    driver.hold('listPaymentProviders', others.length === 0, rule, what)
  })
}

const listIn = ({ data }: ApiReply, name: string): readonly Fields[] => {
  const { [name]: list } = data
  return Array.isArray(list) ? list.map(fieldsOf) : []
}

const walletsOf = (wallets: readonly Fields[]): string =>
  JSON.stringify(wallets.map((wallet) => [wallet.wallet_type, wallet.currency]))
const walletsIn = (reply: ApiReply): string => walletsOf(listIn(reply, 'merchant_wallets'))
